import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sign } from "../src/index.ts";
import {
  createSigner,
  createStandardSigner,
  sign as signOnNode,
  signSync,
  toStandardSecret,
} from "../src/node.ts";
import { Webhook } from "standardwebhooks";
import type { SignOptions } from "../src/sign-options.ts";
import { body, headers, now, secret } from "./sample-delivery.ts";

describe.each([
  ["sign, portable entry", sign],
  ["sign, node entry", signOnNode],
  ["signSync", signSync],
  ["createSigner", ({ secret: own, ...content }: SignOptions) => createSigner(own)(content)],
] as const)("%s", (_, signEntry) => {
  it("returns v1= and the lower-case hex of the HMAC over timestamp, full stop and body", async () => {
    expect(await signEntry({ body, secret, timestamp: now })).toBe(headers["X-Service-Signature"]);
  });

  it("signs text, bytes and buffers alike", async () => {
    const bytes = new TextEncoder().encode(body);
    for (const one of [bytes, bytes.buffer, Buffer.from(body)])
      expect(await signEntry({ body: one, secret, timestamp: `${now}` })).toBe(
        headers["X-Service-Signature"],
      );
  });

  it.each([[0], [64], [5_500], [8_154], [8_155], [16_000], [16_384], [1_000_000]])(
    "signs a body of %i bytes",
    async (length) => {
      const bytes = Buffer.alloc(length, "ü");
      const expected = `v1=${createHmac("sha256", secret).update(`${now}.`).update(bytes).digest("hex")}`;
      expect(await signEntry({ body: bytes, secret, timestamp: now })).toBe(expected);
      expect(await signEntry({ body: bytes.toString("latin1"), secret, timestamp: now })).toBe(
        `v1=${createHmac("sha256", secret)
          .update(`${now}.${bytes.toString("latin1")}`)
          .digest("hex")}`,
      );
    },
  );

  it.each([[1.5], [-1], [NaN], [Infinity], [1e21], [now * 1000], [""], ["1.0"], [undefined]])(
    "rejects the timestamp %s, which no receiver accepts",
    async (timestamp) => {
      // @ts-expect-error a caller without types may pass undefined
      const attempt = async () => signEntry({ body, secret, timestamp });
      await expect(attempt).rejects.toMatchObject({ code: "invalid_option" });
    },
  );

  it.each([[""], [undefined], [null]])("rejects the secret %j", async (wrong) => {
    // @ts-expect-error a caller without types may pass an unset variable
    const attempt = async () => signEntry({ body, secret: wrong, timestamp: now });
    await expect(attempt).rejects.toMatchObject({ code: "no_secret" });
  });

  it("rejects a body that is not serialised", async () => {
    const attempt = async () => signEntry({ body: JSON.parse(body), secret, timestamp: now });
    await expect(attempt).rejects.toMatchObject({ code: "body_not_raw" });
  });
});

it("signers of different secrets are independent", () => {
  const one = createSigner("whsec_one");
  const other = createSigner("whsec_other");
  const before = one({ body, timestamp: now });
  other({ body: "x".repeat(9000), timestamp: now });
  expect(one({ body, timestamp: now })).toBe(before);
  expect(signSync({ body, secret: "whsec_one", timestamp: now })).toBe(before);
});

it("signs correctly with more secrets than the key cache holds", () => {
  for (let index = 0; index < 1200; index += 1) {
    const own = `whsec_${index % 600}`;
    const expected = `v1=${createHmac("sha256", own).update(`${now}.${body}`).digest("hex")}`;
    expect(signSync({ body, secret: own, timestamp: now })).toBe(expected);
  }
});

describe("createStandardSigner", () => {
  it.each([["{}"], ["ü".repeat(5_000)], ["x".repeat(100_000)]])(
    "makes signatures that the reference library makes too",
    (content) => {
      const id = "order.created_1";
      const expected = new Webhook(toStandardSecret(secret)).sign(id, new Date(now * 1_000), content);
      expect(createStandardSigner(secret)({ id, body: content, timestamp: now })).toBe(expected);
    },
  );

  it.each([24, 32, 64])(
    "decodes a secret of Standard Webhooks with %i bytes, which stays as it is",
    (size) => {
      const own = `whsec_${Buffer.alloc(size, 251).toString("base64")}`;
      expect(toStandardSecret(own)).toBe(own);
      const expected = new Webhook(own).sign("evt_1", new Date(now * 1_000), "{}");
      expect(createStandardSigner(own)({ id: "evt_1", body: "{}", timestamp: now })).toBe(expected);
    },
  );

  it.each([
    `whsec_${Buffer.alloc(23).toString("base64")}`,
    `whsec_${Buffer.alloc(65).toString("base64")}`,
    `whsec_${Buffer.alloc(32).toString("base64").replace("=", "")}`,
    `whsec_${Buffer.alloc(32, 251).toString("base64url")}=`,
    `whsec_${Buffer.alloc(32).toString("base64").replace("A=", "B=")}`,
    Buffer.alloc(32).toString("base64"),
  ])("uses the text of any other secret, such as %s", (own) => {
    expect(toStandardSecret(own)).toBe(`whsec_${btoa(own)}`);
  });

  it("needs a secret", () => {
    expect(() => createStandardSigner("")).toThrow(expect.objectContaining({ code: "no_secret" }));
    expect(() => toStandardSecret("")).toThrow(expect.objectContaining({ code: "no_secret" }));
  });
});
