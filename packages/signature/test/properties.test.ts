import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { sign, verify } from "../src/index.ts";
import { createSigner, signSync, verifySync } from "../src/node.ts";

const secrets = fc.string({ minLength: 1, maxLength: 90, unit: anyCharacter });
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.uint8Array({ minLength: 16_100, maxLength: 16_600, size: "max" }),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.json(),
);
const timestamps = fc.nat({ max: 4_000_000_000 });
const envelopes = fc
  .record({ id: fc.string(), event: fc.string(), data: fc.dictionary(fc.string(), fc.jsonValue()) })
  .map((fields) => JSON.stringify({ ...fields, project: {} }));

const toHeaders = (timestamp: number, signature: string) => ({
  "x-service-timestamp": `${timestamp}`,
  "x-service-signature": signature,
});
const codeOf = async (attempt: () => unknown): Promise<unknown> => {
  try {
    await attempt();
    return "passed";
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
};

describe("signatures", () => {
  it("are the HMAC of node:crypto for any body, secret and timestamp, on every path", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secrets, timestamps, async (body, secret, timestamp) => {
        const expected = `v1=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;
        expect(await sign({ body, secret, timestamp })).toBe(expected);
        expect(signSync({ body, secret, timestamp })).toBe(expected);
        expect(createSigner(secret)({ body, timestamp })).toBe(expected);
      }),
    );
  });

  it("of all signers are accepted by all verifiers", async () => {
    await fc.assert(
      fc.asyncProperty(envelopes, secrets, timestamps, async (body, secret, timestamp) => {
        const event = JSON.parse(body);
        const options = { body, secrets: secret, now: timestamp };
        const headersOfNode = toHeaders(timestamp, signSync({ body, secret, timestamp }));
        const headersOfWeb = toHeaders(timestamp, await sign({ body, secret, timestamp }));
        expect(await verify({ ...options, headers: headersOfNode })).toEqual(event);
        expect(verifySync({ ...options, headers: headersOfWeb })).toEqual(event);
      }),
    );
  });

  it("are accepted for any body, even if it is not an event", async () => {
    await fc.assert(
      fc.asyncProperty(bodies, secrets, timestamps, async (body, secret, timestamp) => {
        const options = {
          body,
          secrets: secret,
          now: timestamp,
          headers: toHeaders(timestamp, signSync({ body, secret, timestamp })),
        };
        const code = await codeOf(() => verify(options));
        expect(["passed", "invalid_json", "invalid_envelope"]).toContain(code);
        expect(await codeOf(() => verifySync(options))).toBe(code);
      }),
    );
  });

  it("fail when one bit of body, secret, timestamp or signature is flipped", async () => {
    const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
      bytes.map((byte, index) => (index === (bit >> 3) % bytes.length ? byte ^ (1 << (bit & 7)) : byte));
    const flipText = (text: string, bit: number) =>
      Buffer.from(flip(Buffer.from(text, "latin1"), bit)).toString("latin1");
    const asciiSecrets = fc.string({ minLength: 1, maxLength: 64 });
    await fc.assert(
      fc.asyncProperty(
        envelopes,
        asciiSecrets,
        timestamps,
        fc.nat(),
        async (text, secret, timestamp, bit) => {
          const body = Buffer.from(text);
          const signature = signSync({ body, secret, timestamp });
          const good = { body, secrets: secret, now: timestamp, headers: toHeaders(timestamp, signature) };
          const flipped = [
            { ...good, body: flip(body, bit) },
            { ...good, secrets: flipText(secret, bit) },
            { ...good, headers: toHeaders(timestamp ^ (1 << (bit % 8)), signature) },
            { ...good, headers: toHeaders(timestamp, `v1=${flipText(signature.slice(3), bit)}`) },
          ];
          for (const attempt of flipped) {
            const code = await codeOf(() => verify(attempt));
            expect(["signature_mismatch", "malformed_header"]).toContain(code);
            expect(await codeOf(() => verifySync(attempt))).toBe(code);
          }
        },
      ),
    );
  });

  it("pass exactly up to the tolerance, in both directions", async () => {
    const body = JSON.stringify({ id: "1", event: "order.paid", project: {}, data: {} });
    const ages = fc.double({ min: -700, max: 700, noNaN: true });
    await fc.assert(
      fc.asyncProperty(ages, fc.nat({ max: 600 }), async (age, toleranceSeconds) => {
        const timestamp = 1_760_000_000;
        const headers = toHeaders(timestamp, signSync({ body, secret: "s", timestamp }));
        const now = timestamp + age;
        const options = { body, headers, secrets: "s", now, toleranceSeconds };
        const code = Math.abs(now - timestamp) <= toleranceSeconds ? "passed" : "timestamp_outside_tolerance";
        expect(await codeOf(() => verify(options))).toBe(code);
        expect(await codeOf(() => verifySync(options))).toBe(code);
      }),
    );
  });
});
