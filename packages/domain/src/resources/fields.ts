import { z } from "zod";
import { text } from "../text.ts";
import { timestampSchema } from "../timestamps.ts";

/** A number of things in responses. */
export function count(description: string, example = 12) {
  return z.int().min(0).meta({ description, example });
}

/** A time in responses, or null. */
export function timeOrNull(description: string, example: string | null = "2026-11-20T09:30:00Z") {
  return timestampSchema.nullable().meta({ description, example });
}

// Unknown sites, lists and events have their own error codes, so these schemas only require text. The body
// limit bounds its length.
const unlimited = Number.POSITIVE_INFINITY;

/** The id of a site in a body. */
export const projectReference = text({
  max: unlimited,
  description: "One of the ids from `GET /v1/projects`.",
  example: "site_1",
});

/** The id of an email list in a body. */
export const listReference = text({
  max: unlimited,
  description: "One of that site's email lists, from `GET /v1/email-lists`.",
  example: "list_1",
});

/** The name of an event in a body. */
export const eventReference = text({
  max: unlimited,
  description: "An event name, from `GET /v1/event-types`.",
  example: "order.created",
});

/** The URL of a webhook in a body. Other code validates it (`invalid_target_url`). */
export const targetUrlReference = text({
  max: unlimited,
  description:
    "Where deliveries are sent. Starts with `https://`, points to a public address, and uses an allowed port: 443, 8443, or 1024 and above.",
  example: "https://example.com/webhooks",
});
