import process from "node:process";
import { SignatureError, verify } from "@hookwright/signature/node";
import type { VerifyOptions, WebhookEvent } from "@hookwright/signature/node";

const { WEBHOOK_SECRET } = process.env;
if (!WEBHOOK_SECRET) throw new Error("WEBHOOK_SECRET is not set: it is the webhook's signing_secret");
// Both of them, with a comma between, while a secret is being rotated.
const secrets = WEBHOOK_SECRET.split(",");

/** In earnest a unique column, or keys that expire: memory ends with the process, and grows until then. */
const handled = new Set<string>();

/** Gives the status to answer with. `body` is what came over the wire, untouched. */
export async function receive(delivery: Pick<VerifyOptions, "body" | "headers">): Promise<number> {
  try {
    const event = await verify({ ...delivery, secrets });
    // A retry and a resend bring the same id again.
    if (!handled.has(event.id)) await handle(event);
    handled.add(event.id);
    return 204;
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error; // our own fault: 500, and it is delivered again
    console.warn(`${error.code}: ${error.message}`);
    return 401;
  }
}

async function handle(event: WebhookEvent): Promise<void> {
  if (event.event === "review.submitted") console.log(`${event.data.rating} stars: ${event.data.title}`);
}
