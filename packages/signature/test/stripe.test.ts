import * as fc from "fast-check";
import { Stripe } from "stripe";
import { expect, it } from "vitest";
import { sign } from "../src/index.ts";
import { signSync } from "../src/node.ts";
import { body, now, secret } from "./sample-delivery.ts";

// Stripe has the same signature scheme, so its verifier is an independent check.
const { webhooks } = Stripe;
const inMilliseconds = (seconds: number): number => seconds * 1000;

function accepts(
  payload: string,
  signature: string,
  key: string = secret,
  receivedAt: number = now,
): boolean {
  const header = `t=${now},${signature}`;
  return Boolean(
    webhooks.signature?.verifyHeader(payload, header, key, 300, undefined, inMilliseconds(receivedAt)),
  );
}

it("Stripe's verifier accepts our signatures over any text, with any secret", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", minLength: 1 }),
      // Stripe treats a blank secret as missing.
      fc.string({ minLength: 1 }).filter((key) => key.trim() !== ""),
      async (payload, key) => {
        expect(accepts(payload, signSync({ body: payload, secret: key, timestamp: now }), key)).toBe(true);
        expect(accepts(payload, await sign({ body: payload, secret: key, timestamp: now }), key)).toBe(true);
      },
    ),
  );
});

it("Stripe's verifier returns the signed event", () => {
  const header = `t=${now},${signSync({ body, secret, timestamp: now })}`;
  const event = webhooks.constructEvent(body, header, secret, 300, undefined, inMilliseconds(now));
  expect(event).toEqual(JSON.parse(body));
});

it("Stripe's verifier rejects another body, secret, time or signature", () => {
  const signature = signSync({ body, secret, timestamp: now });
  expect(accepts(body, signature)).toBe(true);
  expect(() => accepts(`${body} `, signature)).toThrow(/signature/);
  expect(() => accepts(body, signature, `${secret}x`)).toThrow(/signature/);
  expect(() => accepts(body, signature, secret, now + 301)).toThrow(/tolerance/);
  expect(() => accepts(body, signSync({ body, secret, timestamp: now + 1 }))).toThrow(/signature/);
});
