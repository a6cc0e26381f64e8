import process from "node:process";
import { createDuplicateGuard } from "@hookwright/signature/duplicates";
import { SignatureError, verify } from "@hookwright/signature/node";
import type { VerifyOptions, WebhookEvent } from "@hookwright/signature/node";

/** In production pass a `storage`. Without one the guard forgets everything when the process ends. */
const guard = createDuplicateGuard();

/** Returns the status to answer with. `body` is the raw body, exactly as it was received. */
export async function receive(delivery: Pick<VerifyOptions, "body" | "headers">): Promise<number> {
  try {
    const event = await verify({ ...delivery, secrets: readSecrets() });
    if (event.test) return 204; // its record does not exist
    const outcome = await guard.once(event, () => handle(event));
    return outcome === "busy" ? 409 : 204; // busy: this event is being handled right now, and that may still fail
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error; // from handle(): the server answers 500, and the event comes again
    console.warn(`${error.code}: ${error.message}`);
    return error.status;
  }
}

/** Not at import time: `next build` imports this file without the variable. During a rotation the variable has both secrets. */
function readSecrets(): string[] {
  return (process.env["WEBHOOK_SECRET"] ?? "").split(",");
}

async function handle(event: WebhookEvent): Promise<void> {
  if (event.event === "review.submitted") console.log(`${event.data.rating} stars: ${event.data.title}`);
}
