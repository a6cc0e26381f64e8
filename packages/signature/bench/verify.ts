import { createHmac, timingSafeEqual } from "node:crypto";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { signSync, verifySync } from "@hookwright/signature/node";
import { build } from "esbuild";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";

/**
 * Measures verifications per second of a 1 KiB delivery on one thread. Rounds alternate between contenders,
 * and the median ratio within a round counts. `--fast` runs fewer rounds.
 *
 * The budget applies to the contender that does the least: it does not parse the event.
 */
const rounds = process.argv.includes("--fast") ? 5 : 11;
const count = 20_000;

const body = Buffer.from(sampleBody());
const timestamp = Math.floor(Date.now() / 1000);
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
  "webhook-signature": standard.sign("msg_1", new Date(timestamp * 1000), body.toString()),
};

interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

const ours: Contender = {
  name: "@hookwright/signature/node: verifySync",
  run: () => verifySync({ body, headers, secrets: secret }),
};
const bare: Contender = { name: "node:crypto: HMAC and comparison only", run: verifyBare };
const parsed: Contender = {
  name: "node:crypto: HMAC, comparison, JSON.parse",
  run: () => verifyBare() && JSON.parse(body.toString()),
};
const stripe: Contender = {
  name: "stripe: constructEvent",
  run: () => Stripe.webhooks.constructEvent(body, stripeHeader, secret),
};
const standardWebhooks: Contender = {
  name: "standardwebhooks: verify",
  run: () => standard.verify(body, standardHeaders),
};
const contenders = [ours, bare, parsed, stripe, standardWebhooks];

const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
for (const contender of contenders) measure(contender); // warm up
for (let round = 0; round < rounds; round++)
  for (const contender of contenders) rates.get(contender.name)?.push(measure(contender));

const verdicts = [
  { reference: bare, budget: 0.8 },
  { reference: standardWebhooks, budget: 2.5 },
  { reference: parsed, budget: undefined },
  { reference: stripe, budget: undefined },
].map(({ reference, budget }) => ({ reference, budget, value: ratio(ours, reference) }));
const bytes = await gzippedSize();

console.log(`\nVerifying a delivery of 1 KiB, one thread, ${rounds} × ${whole(count)} (medians)\n`);
for (const { name } of contenders) print(name, whole(median(rates.get(name) ?? [])), "a second");
console.log("\nAgainst each\n");
for (const { reference, value, budget } of verdicts) {
  const verdict = budget === undefined ? "" : `   budget ≥ ${budget.toFixed(2)}   ${judge(value >= budget)}`;
  print(reference.name, value.toFixed(2), `×${verdict}`);
}
console.log("\nSize\n");
print("./verify, minified and gzipped", whole(bytes), `bytes   budget ≤ 1,500   ${judge(bytes <= 1_500)}`);
if (bytes > 1_500 || verdicts.some(({ value, budget = 0 }) => value < budget)) process.exitCode = 1;

/** The minimum of a receiver: it checks neither the timestamp nor repeated headers. */
function verifyBare(): boolean {
  const expected = createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.`).update(body);
  const sent = Buffer.from(headers["x-service-signature"].slice("v1=".length), "hex");
  return timingSafeEqual(sent, expected.digest());
}

function measure({ name, run }: Contender): number {
  if (!run()) throw new Error(`${name} does not accept the delivery`);
  const started = performance.now();
  for (let index = 0; index < count; index++) run();
  return count / ((performance.now() - started) / 1000);
}

function ratio(contender: Contender, reference: Contender): number {
  const references = rates.get(reference.name) ?? [];
  return median(
    (rates.get(contender.name) ?? []).map((rate, round) => rate / (references[round] ?? Number.NaN)),
  );
}

function median(figures: readonly number[]): number {
  return figures.toSorted((left, right) => left - right)[figures.length >> 1] ?? Number.NaN;
}

function print(name: string, figure: string, rest: string): void {
  console.log(`  ${name.padEnd(44)}${figure.padStart(9)} ${rest}`);
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString("en");
}

function judge(kept: boolean): string {
  return kept ? "kept" : "MISSED";
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

function sampleBody(): string {
  const event = {
    id: "order.created_ord_1",
    event: "order.created",
    project: { id: "site_1", name: "Bakery", timezone: "Europe/London" },
    data: { id: "ord_1", number: "1001", total: 64.16, note: "" },
  };
  event.data.note = "n".repeat(1024 - JSON.stringify(event).length);
  return JSON.stringify(event);
}
