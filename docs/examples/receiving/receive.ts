import process from "node:process";
import { createDuplicateGuard } from "@hookwright/signature/duplicates";
import { SignatureError, verify } from "@hookwright/signature/node";
import type { VerifyOptions, WebhookEvent } from "@hookwright/signature/node";

const { WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) throw new Error("WEBHOOK_SECRET is not set: it is the webhook's signing_secret");
// Both of them, with a comma between, while a secret is being rotated.
const secrets = WEBHOOK_SECRET.split(",");

/** A retry and a resend bring the same event again. In earnest with a storage: memory ends with the process. */
const guard = createDuplicateGuard();

/** Gives the status to answer with. `body` is what came over the wire, untouched. */
export async function receive(delivery: Pick<VerifyOptions, "body" | "headers">): Promise<number> {
  try {
    const event = await verify({ ...delivery, secrets });
    const outcome = await guard.once(event, () => handle(event));
    return outcome === "busy" ? 409 : 204; // what is being handled at this moment may yet fail, and comes again
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error; // our own fault: 500, and it is delivered again
    console.warn(`${error.code}: ${error.message}`);
    return 401;
  }
}

async function handle(event: WebhookEvent): Promise<void> {
  if (event.event === "review.submitted") console.log(`${event.data.rating} stars: ${event.data.title}`);
}
