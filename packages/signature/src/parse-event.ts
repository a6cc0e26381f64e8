import { SignatureError } from "./signature-error.ts";
import type { NoOwnEvents, OwnEventData, WebhookEvent } from "./webhook-event.ts";

/** Parses the event from a verified body. `name` and `test` are the headers that are not signed. */
export function parseEvent<Own extends OwnEventData = NoOwnEvents>(
  text: string,
  name: string | undefined,
  test: string | undefined,
): WebhookEvent<Own> {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw new SignatureError("invalid_json", "signature matches, body is not JSON", { cause });
  }
  if (!isEnvelope<Own>(event))
    throw new SignatureError("invalid_envelope", "signature matches, body is not an event");
  if ((name ?? event.event) !== event.event)
    throw new SignatureError("event_mismatch", "event header is not event in body");
  if (test === "1") event.test = true;
  return event;
}

// Only the envelope is checked. `data` is signed, and new fields must not break receivers.
// `{type, timestamp, data, id, project}`, the other form that a sender may choose, gets its `event`.
function isEnvelope<Own extends OwnEventData>(value: unknown): value is WebhookEvent<Own> {
  return (
    isObject(value) &&
    isText(value["id"]) &&
    isText((value["event"] ??= isText(value["timestamp"]) && value["type"])) &&
    isObject(value["project"]) &&
    isObject(value["data"])
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return !!value && typeof value === "object";
}
