import { SignatureError } from "./signature-error.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Reads the envelope of a body whose signature has been found right. */
export function parseEvent(text: string, eventName: string | undefined): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw new SignatureError("invalid_json", "signature is right, body is no JSON", { cause });
  }
  if (!isEnvelope(event))
    throw new SignatureError("invalid_envelope", "signature is right, body is no {id, event, project, data}");
  if ((eventName ?? event.event) !== event.event)
    throw new SignatureError("event_mismatch", "x-service-event is not the event in body");
  return event;
}

// The envelope alone: `data` is the sender's signed word, and a field added later must not break a receiver.
function isEnvelope(value: unknown): value is WebhookEvent {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["event"] === "string" &&
    isObject(value["project"]) &&
    isObject(value["data"])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return !!value && typeof value === "object";
}
