import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { signSync, verify, verifySync } from "../src/node.ts";
import { verify as verifyPortable } from "../src/verify.ts";
import type { VerifyOptions } from "../src/verify.ts";
import { body, headers, now, secret } from "./sample-delivery.ts";

const plain: VerifyOptions = { body, headers, secrets: secret, now };
const timestamp = String(now);
const signature = signSync({ body, secret, timestamp: now });
const signedWithNothing = `v1=${createHmac("sha256", "").update(`${timestamp}.${body}`).digest("hex")}`;
/** Half of a surrogate pair is signed as U+FFFD. */
const brokenBody = body.replace("{", '{"\ud800": "\udc00", ');
const withHeaders = (changed: Record<string, string>): VerifyOptions => ({
  ...plain,
  headers: { "x-service-timestamp": timestamp, "x-service-signature": signature, ...changed },
});

async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

// verifySync has a fast path for usual deliveries. It must not accept anything that the full check rejects.
it.each<[what: string, options: VerifyOptions]>([
  ["a plain delivery", plain],
  ["one secret in a list", { ...plain, secrets: [secret] }],
  ["two secrets", { ...plain, secrets: ["whsec_other", secret] }],
  ["no secret", { ...plain, secrets: "" }],
  [
    "a delivery signed with no secret",
    { ...withHeaders({ "x-service-signature": signedWithNothing }), secrets: "" },
  ],
  ["no secret in the list", { ...plain, secrets: [] }],
  ["an empty secret in the list", { ...plain, secrets: [""] }],
  ["another secret", { ...plain, secrets: "whsec_other" }],
  ["a changed body", { ...plain, body: `${body} ` }],
  ["bytes", { ...plain, body: new TextEncoder().encode(body) }],
  ["300 seconds", { ...plain, now: now + 300 }],
  ["more than 300 seconds", { ...plain, now: now + 300.001 }],
  ["a clock that is behind", { ...plain, now: now - 301 }],
  ["a clock that is no number", { ...plain, now: Number.NaN }],
  ["no end of patience", { ...plain, toleranceSeconds: Number.POSITIVE_INFINITY }],
  [
    "neither clock nor patience",
    { ...plain, now: Number.POSITIVE_INFINITY, toleranceSeconds: Number.POSITIVE_INFINITY },
  ],
  ["a tolerance that is no number", { ...plain, toleranceSeconds: Number.NaN }],
  ["no tolerance", { ...plain, toleranceSeconds: 0 }],
  ["a tolerance below zero", { ...plain, toleranceSeconds: -1 }],
  ["a tolerance that is text", { ...plain, ...JSON.parse('{ "toleranceSeconds": "300" }') }],
  ["a clock that is null", { ...plain, ...JSON.parse('{ "now": null }') }],
  ["a tolerance that is null", { ...plain, ...JSON.parse('{ "toleranceSeconds": null }') }],
  ["no timestamp", withHeaders({ "x-service-timestamp": "" })],
  ["a timestamp with a sign", withHeaders({ "x-service-timestamp": `+${timestamp}` })],
  ["a repeated timestamp", withHeaders({ "x-service-timestamp": `${timestamp},${timestamp}` })],
  ["upper-case digits", withHeaders({ "x-service-signature": `v1=${signature.slice(3).toUpperCase()}` })],
  ["another scheme", withHeaders({ "x-service-signature": signature.replace("v1", "v2") })],
  ["two signatures", withHeaders({ "x-service-signature": `v1=${"0".repeat(64)}, ${signature}` })],
  ["white space around it", withHeaders({ "x-service-signature": ` ${signature}\t` })],
  [
    "letters that share their low byte",
    withHeaders({
      "x-service-signature": signature.replaceAll(/[a-f]/gu, (digit) =>
        String.fromCodePoint(0x100 + digit.charCodeAt(0)),
      ),
    }),
  ],
  ["headers that are inherited", { ...plain, headers: Object.create(headers) }],
  [
    "a text with half of a surrogate pair",
    {
      ...withHeaders({ "x-service-signature": signSync({ body: brokenBody, secret, timestamp: now }) }),
      body: brokenBody,
    },
  ],
  ["an event that is not the body's", withHeaders({ "x-service-event": "order.paid" })],
])("verifySync has the same result as the lean verify for %s", async (_, options) => {
  const expected = await outcome(() => verifyPortable(options));
  expect(await outcome(() => verifySync(options))).toEqual(expected);
  expect(await outcome(() => verify(options))).toEqual(expected);
});
