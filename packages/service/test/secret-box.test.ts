import { describe, expect, it } from "vitest";
import { createSecretBox, keyIdOf, toKeyId } from "../src/secrets/secret-box.ts";

const oldSecret = "the old secret of these tests, 32+";
const newSecret = "the new secret of these tests, 32+";
const unreadable = expect.objectContaining({ code: "secret_unreadable" });

describe("an encrypted value", () => {
  it("begins with the key id of its secret, which does not contain the secret", () => {
    const sealed = createSecretBox({ secret: oldSecret }).seal("whsec_1", "wh_1");
    expect(keyIdOf(sealed)).toBe(toKeyId(oldSecret));
    expect(toKeyId(oldSecret)).toMatch(/^[\w-]{11}$/u);
    expect(toKeyId(oldSecret)).not.toBe(toKeyId(newSecret));
    expect(sealed).not.toContain("whsec_1");
  });

  it("is decrypted with every known secret, and encrypted with the current one", () => {
    const sealed = createSecretBox({ secret: oldSecret }).seal("whsec_1", "wh_1");
    const box = createSecretBox({ secret: newSecret, previousSecrets: [oldSecret] });
    expect(box.open(sealed, "wh_1")).toBe("whsec_1");
    expect(keyIdOf(box.seal("whsec_1", "wh_1"))).toBe(toKeyId(newSecret));
    expect(keyIdOf(box.seal("whsec_1", "wh_1", toKeyId(oldSecret)))).toBe(toKeyId(oldSecret));
    expect(() => box.seal("whsec_1", "wh_1", "another")).toThrow(unreadable);
  });

  it("of an unknown secret is refused with the key id that is missing", () => {
    const sealed = createSecretBox({ secret: oldSecret }).seal("whsec_1", "wh_1");
    expect(() => createSecretBox({ secret: newSecret }).open(sealed, "wh_1")).toThrow(
      expect.objectContaining({
        code: "secret_unreadable",
        message: expect.stringContaining(`key id ${toKeyId(oldSecret)}`),
      }),
    );
  });

  it("is refused for another webhook, without a key id, and if a byte was changed", () => {
    const box = createSecretBox({ secret: oldSecret });
    const sealed = box.seal("whsec_1", "wh_1");
    const changed = sealed.slice(0, -3) + (sealed.at(-3) === "A" ? "B" : "A") + sealed.slice(-2);
    for (const [text, context] of [
      [sealed, "wh_2"],
      [sealed, "wh_1, headers"],
      [sealed.slice(keyIdOf(sealed).length + 1), "wh_1"],
      [changed, "wh_1"],
      ["", "wh_1"],
    ] as const)
      expect(() => box.open(text, context)).toThrow(unreadable);
  });
});
