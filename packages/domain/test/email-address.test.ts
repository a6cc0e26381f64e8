import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { emailSchema, isEmailAddress, normaliseEmail } from "../src/email-address.ts";

describe("e-mail addresses", () => {
  it("are normalised to trimmed lower case, with dots and plus signs", () => {
    expect(emailSchema.parse("  Ada.B+news@Example.COM ")).toBe("ada.b+news@example.com");
  });

  it("do not change when they are normalised again", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(normaliseEmail(normaliseEmail(text))).toBe(normaliseEmail(text));
      }),
    );
  });

  it.each(["a@b.co", "o'hara@example.com", "a_b-c@sub.example.co.uk", "ü@exämple.de", "x@xn--exmple-cua.de"])(
    "may be %s",
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it("may have up to 254 characters", () => {
    const domain = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}`;
    expect(isEmailAddress(`${"x".repeat(62)}@${domain}`)).toBe(true);
    expect(isEmailAddress(`${"x".repeat(63)}@${domain}`)).toBe(false);
  });

  it.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@example",
    "ada@@example.com",
    "ada@exa mple.com",
    "ada @example.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@example..com",
    "ada@example.com.",
    ".ada@example.com",
    "ada.@example.com",
    "a..b@example.com",
    "ada@example.com\nbcc: b@example.com",
    "ada\u0000@example.com",
    "ada@[127.0.0.1]",
    "Ada <ada@example.com>",
    "a@b.co, c@d.co",
    "\ud800@example.com",
  ])("must not be %j", (text) => {
    expect(emailSchema.safeParse(text).error?.issues[0]?.message).toBe("must be an e-mail address");
  });
});
