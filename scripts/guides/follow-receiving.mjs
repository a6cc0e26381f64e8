import { createHmac } from "node:crypto";
import { BootstrapError } from "../bootstrap/bootstrap-error.mjs";
import { saveGuideFiles, startGuideServer } from "./start-guide-server.mjs";

/** Of the guide's own commands, where it gives none. */
const EXAMPLE_SECRET = "whsec_example";

const REVIEW = {
  id: "review.submitted_rev_1",
  event: "review.submitted",
  project: { id: "site_shop", name: "Shop", timezone: "Europe/London" },
  data: {
    id: "rev_1",
    rating: 5,
    title: "Worth the walk",
    content: "The crust is perfect.",
    status: "pending",
    verified_purchase: true,
    customer: { name: "Ada Lovelace", email: "ada@example.com" },
    product: { id: "prd_9", name: "Sourdough loaf" },
    created_at: "2026-11-20T09:30:00Z",
  },
};

/**
 * Starts a receiver of the guide, and sends it a signed delivery and a forged one.
 *
 * @param {import("./start-guide-server.mjs").StartOptions} options
 * @returns {Promise<string>} What it did.
 */
export async function followReceiving(options) {
  const env = { WEBHOOK_SECRET: EXAMPLE_SECRET, ...options.env };
  await saveGuideFiles(options);
  const server = await startGuideServer({ ...options, env });
  try {
    const [url = `${server.origin}/webhooks`] =
      (await server.waitFor(new RegExp(`${server.origin}/\\S+`))) ?? [];
    const secret = server.environment["WEBHOOK_SECRET"] ?? EXAMPLE_SECRET;
    const body = JSON.stringify(REVIEW);
    const signed = await deliver(url, { secret, body, sent: body });
    if (signed < 200 || signed > 299) throw new Error(`a signed delivery was answered ${signed}`);
    const forged = await deliver(url, { secret, body, sent: body.replace('"rating":5', '"rating":1') });
    if (forged < 400 || forged > 499) throw new Error(`a forged delivery was answered ${forged}`);
    return `a signed delivery is answered ${signed}, a forged one ${forged}`;
  } catch (error) {
    const message = `${options.server}: ${error instanceof Error ? error.message : String(error)}`;
    throw new BootstrapError(message, { output: server.printed().trim() });
  } finally {
    await server.stop();
  }
}

/**
 * @param {string} url
 * @param {{ secret: string, body: string, sent: string }} options `body` is signed, and `sent` is sent.
 * @returns {Promise<number>} The status of the response.
 */
async function deliver(url, { secret, body, sent }) {
  // By hand, as the specification says it (§5): what signs must not be the package under test.
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  const { status } = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-event": REVIEW.event,
      "x-service-delivery": "dlv_1",
      "x-service-timestamp": timestamp,
      "x-service-signature": `v1=${signature}`,
    },
    body: sent,
  });
  return status;
}
