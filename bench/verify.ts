import { createHmac, timingSafeEqual } from "node:crypto";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { signSync, verifySync } from "@hookwright/signature/node";
import { build } from "esbuild";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { startMeasuring } from "./harness/deliver.ts";
import { readOptions, wholeNumber } from "./harness/options.ts";
import { playRounds } from "./harness/rounds.ts";
import type { Contest } from "./harness/rounds.ts";
import { sampleBody } from "./harness/sample-order.ts";
import { printTable, whole } from "./harness/table.ts";

const options = readOptions(
  `npm run bench -- verify [options]

Measures verifications per second of a 1 KiB delivery on one thread. The budget applies to the contender that does the
least: it does not parse the event. It measures the size of \`./verify\` too.`,
  {
    rounds: wholeNumber(11, "measurements of each row, which alternate"),
    count: wholeNumber(20_000, "verifications of a measurement"),
  },
);

const body = Buffer.from(sampleBody());
const timestamp = Math.floor(Date.now() / 1_000);
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64url")}`;
const signature = signSync({ body, secret, timestamp });
const headers = {
  host: "receiver.example",
  "content-type": "application/json",
  "user-agent": "Hookwright (+webhooks)",
  "x-service-event": "order.created",
  "x-service-delivery": "dlv_01980b1e",
  "x-service-timestamp": String(timestamp),
  "x-service-signature": signature,
};
const stripeHeader = `t=${timestamp},${signature}`;
const standard = new Webhook(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
const standardHeaders = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(timestamp),
  "webhook-signature": standard.sign("msg_1", new Date(timestamp * 1_000), body.toString()),
};

const ours = "@hookwright/signature/node: verifySync";
const rivals = {
  "node:crypto: HMAC and comparison only": "≥ 0.80",
  "standardwebhooks: verify": "≥ 2.50",
  "stripe: constructEvent": "",
};
const contest: Contest = {
  [ours]: repeat(() => verifySync({ body, headers, secrets: secret })),
  "node:crypto: HMAC and comparison only": repeat(verifyBare),
  "standardwebhooks: verify": repeat(() => standard.verify(body, standardHeaders)),
  "stripe: constructEvent": repeat(() => Stripe.webhooks.constructEvent(body, stripeHeader, secret)),
};
for (const measure of Object.values(contest)) await measure(options.count);
const { medianOf, ratioOf } = await playRounds(contest, options.rounds, options.count);
printTable(
  `Verifying a delivery of 1 KiB, one thread, ${options.rounds} × ${whole(options.count)} (medians)`,
  [
    { "": ours, "per second": whole(medianOf(ours, "perSecond")), "ours / it": "", budget: "" },
    ...Object.entries(rivals).map(([name, budget]) => ({
      "": name,
      "per second": whole(medianOf(name, "perSecond")),
      "ours / it": ratioOf(ours, name, "perSecond").toFixed(2),
      budget,
    })),
  ],
);
printTable("Size of ./verify, minified and gzipped", [
  { bytes: whole(await gzippedSize()), budget: "≤ 1,500" },
]);
console.log();

/** The minimum of a receiver: it checks neither the timestamp nor repeated headers. */
function verifyBare(): boolean {
  const expected = createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.`).update(body);
  const sent = Buffer.from(headers["x-service-signature"].slice("v1=".length), "hex");
  return timingSafeEqual(sent, expected.digest());
}

/** @throws Error if the delivery is not accepted */
function repeat(run: () => unknown): Contest[string] {
  return async (count) => {
    if (!run()) throw new Error("the delivery is not accepted");
    const stop = startMeasuring();
    for (let index = 0; index < count; index++) run();
    return stop(count);
  };
}

async function gzippedSize(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve("@hookwright/signature/verify"))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    write: false,
    // Imports that only other entries need are removed.
    logOverride: { "ignored-bare-import": "silent" },
  });
  return gzipSync(outputFiles[0]?.text ?? "").length;
}
