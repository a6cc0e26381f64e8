import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { sign, SignatureError, verify } from "../src/index.ts";
import { verify as verifyOnNode, verifySync } from "../src/node.ts";
import { body, event, headers, now, secret } from "./sample-delivery.ts";

const good = { body, headers, secrets: secret, now };

async function refusal(attempt: () => unknown): Promise<SignatureError> {
  try {
    await attempt();
  } catch (error) {
    if (error instanceof SignatureError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe.each([
  ["portable", verify],
  ["node", verifySync],
] as const)("verify, %s entry", (_, verifyEntry) => {
  it("returns the event itself", async () => {
    expect(await verifyEntry(good)).toEqual(event);
  });

  it("returns the same event for the form {type, timestamp, data, id, project}", async () => {
    const { event: type, ...rest } = event;
    const text = JSON.stringify({ type, timestamp: "2026-11-30T16:00:00.000Z", ...rest });
    const signature = await sign({ body: text, secret, timestamp: now });
    const signed = { ...headers, "x-service-timestamp": String(now), "x-service-signature": signature };
    expect(await verifyEntry({ body: text, headers: signed, secrets: secret, now })).toMatchObject(event);
  });

  it("accepts the body as bytes of every kind", async () => {
    const bytes = new TextEncoder().encode(body);
    const inTheMiddle = new Uint8Array([0, ...bytes, 0]).subarray(1, -1);
    const ofAnotherRealm: ArrayBuffer = runInNewContext("new Uint8Array(bytes).buffer", {
      bytes: [...bytes],
    });
    expect(ofAnotherRealm).not.toBeInstanceOf(ArrayBuffer);
    for (const one of [
      bytes,
      inTheMiddle,
      bytes.buffer,
      Buffer.from(body),
      new DataView(bytes.buffer),
      ofAnotherRealm,
    ])
      expect(await verifyEntry({ ...good, body: one })).toEqual(event);
  });

  it.each([
    ["an object", JSON.parse(body), "parsed (object)"],
    ["an array", [body], "parsed (object)"],
    ["undefined", undefined, "missing"],
    ["null", null, "missing"],
    ["a number", 1, "parsed (number)"],
  ])("mentions the raw body if the body is %s", async (_name, wrong, fault) => {
    const error = await refusal(() => verifyEntry({ ...good, body: wrong }));
    expect(error).toMatchObject({ code: "body_not_raw" });
    expect(error.message).toContain(`body is ${fault}: `);
    expect(error.message).toContain("raw body");
  });

  it("says how many seconds the clocks differ, and in which direction", async () => {
    const late = await refusal(() => verifyEntry({ ...good, now: now + 301 }));
    expect(late.message).toBe("timestamp is 301 s behind now, limit 300 s: replay or wrong clock");
    const early = await refusal(() => verifyEntry({ ...good, now: now - 4000.5, toleranceSeconds: 60 }));
    expect(early.message).toBe("timestamp is 4001 s ahead of now, limit 60 s: replay or wrong clock");
  });

  it("uses the clock of the machine and 300 s by default", async () => {
    const verifyByClock = async () => verifyEntry({ body, headers, secrets: [secret] });
    vi.useFakeTimers({ now: (now + 300) * 1000 });
    expect(await verifyByClock()).toEqual(event);
    vi.setSystemTime((now + 300) * 1000 + 1);
    await expect(verifyByClock()).rejects.toMatchObject({ code: "timestamp_outside_tolerance" });
  });

  it.each([
    ["now is NaN", { now: NaN }],
    ["now is no number", { now: "soon" }],
    ["now is null", { now: null }],
    ["now is a date", { now: new Date(now * 1000) }],
    ["the tolerance is NaN", { toleranceSeconds: NaN }],
    ["the tolerance is null", { toleranceSeconds: null }],
    ["the tolerance is text", { toleranceSeconds: "300" }],
    ["the tolerance is below zero", { toleranceSeconds: -1 }],
  ])("rejects options that disable the age check: %s", async (_name, wrong) => {
    // @ts-expect-error a caller without types may pass text
    expect(await refusal(() => verifyEntry({ ...good, ...wrong }))).toMatchObject({ code: "invalid_option" });
  });

  it.each([[undefined], [null], [""], [[]], [[""]], [[secret, ""]], [[undefined]], [[secret, 1]], [0]])(
    "treats the secrets %j as a programming error",
    async (secrets) => {
      // @ts-expect-error a caller without types may pass an unset variable
      expect(await refusal(() => verifyEntry({ ...good, secrets }))).toMatchObject({ code: "no_secret" });
    },
  );

  it("recognises a test by its header", async () => {
    const testOf = async (value: string) =>
      (await verifyEntry({ ...good, headers: { ...headers, "X-Service-Test": value } })).test;
    expect(await testOf("1")).toBe(true);
    for (const value of ["", "0", "true", "1, 1"]) expect(await testOf(value)).toBeUndefined();
  });

  it("recognises a body that is still base64, as AWS Lambda passes it", async () => {
    const encoded = Buffer.from(body).toString("base64");
    for (const wrong of [encoded, `${encoded}\n`, Buffer.from(encoded)]) {
      const error = await refusal(() => verifyEntry({ ...good, body: wrong }));
      expect(error).toMatchObject({ code: "signature_mismatch", status: 401 });
      expect(error.message).toBe(
        'the signature matches the decoded body, but body is base64: pass Buffer.from(body, "base64") (AWS Lambda sets isBase64Encoded)',
      );
    }
    const walked = Object.entries(headers).values();
    const ofAnIterator = await refusal(() => verifyEntry({ ...good, body: encoded, headers: walked }));
    expect(ofAnIterator.message).toContain("body is base64");
  });

  it.each([
    ["of another sender", Buffer.from(`${body} `).toString("base64")],
    ["that is only letters", "abcd"],
    ["that is cut short", Buffer.from(body).toString("base64").slice(0, -5)],
  ])("does not mention base64 for a body %s", async (_name, wrong) => {
    const error = await refusal(() => verifyEntry({ ...good, body: wrong }));
    expect(error).toMatchObject({ code: "signature_mismatch" });
    expect(error.message).toContain("the secret is wrong");
  });

  it.each([["text", ""] as const, ["bytes", new Uint8Array()] as const])(
    "explains an empty body of %s",
    async (_name, empty) => {
      const error = await refusal(() => verifyEntry({ ...good, body: empty }));
      expect(error).toMatchObject({ code: "signature_mismatch", status: 401 });
      expect(error.message).toBe(
        "body is empty: it was never read, or something read it before. Read the raw body once, before any body parser",
      );
    },
  );

  it("recognises milliseconds, in the header and in now", async () => {
    const inHeader = { ...headers, "X-Service-Timestamp": `${now * 1000}` };
    const ofHeader = await refusal(() => verifyEntry({ ...good, headers: inHeader }));
    expect(ofHeader).toMatchObject({ code: "timestamp_outside_tolerance", status: 401 });
    expect(ofHeader.message).toBe(
      "x-service-timestamp is in milliseconds: sign Unix seconds, Math.floor(Date.now() / 1000)",
    );
    const ofNow = await refusal(() => verifyEntry({ ...good, now: now * 1000 }));
    expect(ofNow).toMatchObject({ code: "timestamp_outside_tolerance", status: 401 });
    expect(ofNow.message).toBe("now is in milliseconds: pass seconds, Date.now() / 1000");
    const ofBoth = await refusal(() => verifyEntry({ ...good, headers: inHeader, now: (now + 900) * 1000 }));
    expect(ofBoth.message).toContain("behind now");
  });

  it("names the likely causes of a mismatch", async () => {
    const { message } = await refusal(() => verifyEntry({ ...good, secrets: "whsec_other" }));
    expect(message).toMatch(/whole whsec_ string/);
    expect(message).toMatch(/parsed/);
    expect(message).not.toContain("trimmed");
  });

  it.each([`${secret}\n`, ` ${secret}`, ["whsec_other", `${secret}\r\n`]])(
    "mentions white space around a secret that does not match: %j",
    async (secrets) => {
      const error = await refusal(() => verifyEntry({ ...good, secrets }));
      expect(error).toMatchObject({ code: "signature_mismatch" });
      expect(error.message).toContain("(pass the whole whsec_ string, trimmed)");
    },
  );

  it("keeps the cause if the body is not JSON", async () => {
    const signature = await sign({ body: "{", secret, timestamp: now });
    const error = await refusal(() =>
      verifyEntry({ ...good, body: "{", headers: { ...headers, "X-Service-Signature": signature } }),
    );
    expect(error.code).toBe("invalid_json");
    expect(error.cause).toBeInstanceOf(SyntaxError);
  });

  it("shows no secret and no expected signature in any error", async () => {
    const expected = headers["X-Service-Signature"].slice(3);
    const attempts = [
      { ...good, body: `${body} ` },
      { ...good, now: 0 },
      { ...good, headers: { ...headers, "X-Service-Event": "x" } },
      { ...good, headers: { ...headers, "X-Service-Signature": `v1=${"0".repeat(64)}` } },
      { ...good, secrets: [secret, ""] },
    ];
    for (const attempt of attempts) {
      const error = await refusal(() => verifyEntry(attempt));
      const shown = JSON.stringify([error.message, error.stack, String(error.cause), Object.entries(error)]);
      expect(shown).not.toContain(secret.slice(6));
      expect(shown).not.toContain(expected);
    }
  });

  it("has no `undefined` in the message of any code", async () => {
    for (const name of ["X-Service-Timestamp", "X-Service-Signature"]) {
      const { message } = await refusal(() => verifyEntry({ ...good, headers: { ...headers, [name]: "?" } }));
      expect(message).toContain(name.toLowerCase());
      expect(message).not.toContain("undefined");
    }
  });
});

describe("verify, asynchronous", () => {
  it("rejects instead of throwing, on both entries", async () => {
    for (const verifyEntry of [verify, verifyOnNode]) {
      const promise = verifyEntry({ ...good, secrets: [] });
      await expect(promise).rejects.toBeInstanceOf(SignatureError);
    }
  });

  it("parses the verified bytes even if the buffer is reused meanwhile", async () => {
    const buffer = Buffer.from(body);
    const promise = verify({ ...good, body: buffer });
    buffer.fill(" ");
    expect(await promise).toEqual(event);
  });

  it("imports a key once and caches it, up to a limit", async () => {
    const importKey = vi.spyOn(crypto.subtle, "importKey");
    const verifyUnder = async (one: string) => verify({ ...good, secrets: [one, secret] });
    await verifyUnder("whsec_cached");
    await verifyUnder("whsec_cached");
    const once = importKey.mock.calls.length;
    expect(once).toBeLessThanOrEqual(2);
    for (let index = 0; index < 500; index += 1) await verifyUnder(`whsec_${index}`);
    importKey.mockClear();
    await verifyUnder("whsec_cached");
    expect(importKey).toHaveBeenCalled();
  });

  it("computes one HMAC for each secret, independent of the number of signatures", async () => {
    const sign = vi.spyOn(crypto.subtle, "sign");
    const many = Array.from({ length: 200 }, (_, index) => `v1=${`${index}`.padStart(64, "0")}`).join();
    const attempt = verify({
      ...good,
      secrets: ["whsec_a", "whsec_b"],
      headers: { ...headers, "X-Service-Signature": many },
    });
    await expect(attempt).rejects.toMatchObject({ code: "signature_mismatch" });
    expect(sign).toHaveBeenCalledTimes(2);
  });
});
