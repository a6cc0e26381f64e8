import { describe, expect, it } from "vitest";
import { maskSecrets, toSecretParts } from "../src/log/mask-secrets.ts";

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString("base64")}`;
const secret = `p+ss/w0rd="&<'\\end`;

describe("the secret parts of headers", () => {
  it.each([
    ["X-Api-Key", "k-123456", ["k-123456"]],
    ["Authorization", "Bearer abc.def.ghi", ["abc.def.ghi"]],
    [
      "Authorization",
      basic("gateway:open:sesame"),
      ["Z2F0ZXdheTpvcGVuOnNlc2FtZQ==", "gateway:open:sesame", "open:sesame"],
    ],
    ["X-Version", "2", []],
    ["X-Words", "some three words", ["some three words"]],
  ])("%s: %s", (name, value, parts) => {
    expect(toSecretParts([{ name, value }])).toEqual(parts);
  });
});

describe("a secret in a response", () => {
  it.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON of PHP", JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/")],
    [
      "in JSON of .NET",
      secret.replace(/[^\w/=]/gu, (c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ],
    ["in a URL", encodeURIComponent(secret)],
    [
      "in HTML",
      secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll('"', "&quot;")
        .replaceAll("'", "&#39;"),
    ],
  ])("is hidden %s", (_, echoed) => {
    expect(maskSecrets(`{"key":"${echoed}","ü":"${echoed}"}`, [secret])).toBe(
      '{"key":"(hidden)","ü":"(hidden)"}',
    );
  });

  it("is hidden if the text ends within it", () => {
    for (const text of ["key=0123456789abcdef", "key=01234567", "key=0123"])
      expect(maskSecrets(text, ["0123456789abcdefghijkl"])).toBe("key=(hidden)");
    expect(maskSecrets("pin=12345", ["123456"])).toBe("pin=(hidden)");
    expect(maskSecrets("key=012", ["0123456789abcdefghijkl"])).toBe("key=012");
  });

  it("is hidden if it looks like an escape", () => {
    expect(maskSecrets("100%25&amp;more 5%25", ["100%25&amp;more"])).toBe("(hidden) 5%25");
  });

  it("is hidden together with another one that overlaps it", () => {
    expect(maskSecrets("a user:password b", ["user:password", "password"])).toBe("a (hidden) b");
  });

  it("changes nothing else, escapes included", () => {
    const text = `50% off & more \\"quoted\\" %2F &lt;b&gt; \\u0041`;
    expect(maskSecrets(text, [secret])).toBe(text);
  });

  it("is hidden if it is a signing secret, also of a webhook without own headers", () => {
    expect(maskSecrets("HOOK=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw;", [])).toBe("HOOK=whsec_(hidden);");
  });
});
