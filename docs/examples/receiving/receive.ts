import process from "node:process";
import { createDuplicateGuard } from "@hookwright/signature/duplicates";
import { SignatureError, verify } from "@hookwright/signature/node";
import type { VerifyOptions, WebhookEvent } from "@hookwright/signature/node";

/** In production pass a `storage`. Without one, the guard loses its state when the process ends. */
const guard = createDuplicateGuard();

/** Returns the status to answer with. `body` is the raw body, exactly as received. */
export async function receive(delivery: Pick<VerifyOptions, "body" | "headers">): Promise<number> {
  try {
    const event = await verify({ ...delivery, secrets: readSecrets() });
    if (event.test) return 204; // its record does not exist
    const outcome = await guard.once(event, () => handle(event));
    return outcome === "busy" ? 409 : 204; // busy: another request handles this event now, and it may still fail
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error; // from handle(): the server answers 500, and the sender retries
    console.warn(`${error.code}: ${error.message}`);
    return error.status;
  }
}

/** Reads the secrets per request, because `next build` imports this file without the variable. During a rotation there are two. */
function readSecrets(): string[] {
  return (process.env["WEBHOOK_SECRET"] ?? "").split(",");
}

async function handle(event: WebhookEvent): Promise<void> {
  if (event.event === "review.submitted") console.log(`${event.data.rating} stars: ${event.data.title}`);
  else console.log(event.id);
}
