import { text } from "../text.ts";

// An unknown site, list or event has an error code of its own, so nothing about the text is judged by the schema beyond
// its being text: the body limit bounds it, and `isHostId` says whether it is worth looking up.
const unjudged = Number.POSITIVE_INFINITY;

/** The site that a body names. */
export const projectReference = text({
  max: unjudged,
  description: "One of the ids from `GET /v1/projects`.",
  example: "site_1",
});

/** The email list that a body names. */
export const listReference = text({
  max: unjudged,
  description: "One of that site's email lists, from `GET /v1/email-lists`.",
  example: "list_1",
});

/** The event that a body names. */
export const eventReference = text({
  max: unjudged,
  description: "An event name, from `GET /v1/event-types`.",
  example: "order.created",
});

/** The URL that a body names; what makes a good one is not the schema's to say (`invalid_target_url`). */
export const targetUrlReference = text({
  max: unjudged,
  description:
    "Where deliveries are sent. Starts with `https://`, points to a public address, and uses an allowed port: 443, 8443, or 1024 and above.",
  example: "https://example.com/webhooks",
});
