import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../scripts/test/support/any-character.ts";
import { createCursorCodec } from "../src/cursor-codec.ts";

const secret = "a secret of thirty-two characters";
const cursors = createCursorCodec({ secret });
const scope = ["acc_1", "orders", "status=paid"];
const position = [1_763_630_000_000, 17, "ord_1001"];
const cursor = cursors.encode({ scope, position });

const anyText = fc.string({ unit: anyCharacter, maxLength: 40 });
const anyNumber = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const anyPosition = fc.array(fc.oneof(anyText, anyNumber), { maxLength: 4 });
const anyScope = fc.array(anyText, { maxLength: 4 });

describe("a cursor", () => {
  it("decodes to its position", () => {
    fc.assert(
      fc.property(anyScope, anyPosition, (anywhere, made) => {
        const text = cursors.encode({ scope: anywhere, position: made });
        // JSON has no negative zero. As a sort key it is the same.
        const plain = made.map((part) => (part === 0 ? 0 : part));
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(cursors.decode({ scope: anywhere, cursor: text })).toStrictEqual(plain);
      }),
    );
  });

  it("is deterministic, also after a restart", () => {
    expect(cursors.encode({ scope, position })).toBe(cursor);
    expect(createCursorCodec({ secret }).decode({ scope, cursor })).toStrictEqual(position);
    expect(createCursorCodec({ secret: Buffer.from(secret) }).decode({ scope, cursor })).toStrictEqual(
      position,
    );
  });

  it("has a stable format, because cursors do not expire", () => {
    expect(cursor).toMatchInlineSnapshot(`"isFP2sfWZ48BRc90ITTDghanzMLj--1UyZxFh2ZSAVRpPju8Yw64b0T5hMJm"`);
  });

  it("does not reveal its contents", () => {
    const bytes = Buffer.from(cursor, "base64url").toString("latin1");
    for (const part of ["ord_", "1763630000000", "acc_1", "[", "]", '"ord_1001"'].filter(
      (each) => each.length > 3,
    )) {
      expect(bytes).not.toContain(part);
    }
    const next = cursors.encode({ scope, position: [1_763_630_000_000, 17, "ord_1002"] });
    expect(next.slice(24, 40)).not.toBe(cursor.slice(24, 40));
  });

  it("is rejected if any byte is changed", () => {
    const bytes = Buffer.from(cursor, "base64url");
    const accepted: string[] = [];
    for (let at = 0; at < bytes.length; at++) {
      for (let change = 1; change < 256; change++) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ change;
        const text = changed.toString("base64url");
        if (cursors.decode({ scope, cursor: text }) !== undefined) accepted.push(text);
      }
    }
    expect(accepted).toStrictEqual([]);
  });

  it("is rejected if any character is changed, missing or doubled", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .%";
    const spoiled = Array.from(cursor, (own, at) => {
      const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
      const others = Array.from(alphabet.replace(own, ""), (other) => before + other + after);
      return others.concat(before + after, before + own + own + after);
    }).flat();
    expect(spoiled.filter((text) => cursors.decode({ scope, cursor: text }) !== undefined)).toStrictEqual([]);
  });

  it("is rejected with padding, white space or left-over bits", () => {
    for (const length of [1, 2, 3]) {
      const own = cursors.encode({ scope, position: ["x".repeat(length)] });
      const spellings = [
        `${own}=`,
        `${own}==`,
        ` ${own}`,
        `${own}\n`,
        `${own}A`,
        encodeURIComponent(`${own} `),
      ];
      for (const text of spellings) expect(cursors.decode({ scope, cursor: text })).toBeUndefined();
    }
  });

  it("is rejected if its left-over bits are set", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const texts = ["x", "xx", "xxx"].map((text) => cursors.encode({ scope, position: [text] }));
    const withLeftOver = texts.filter((text) => text.length % 4 !== 0);
    expect(withLeftOver).toHaveLength(2);
    for (const text of withLeftOver) {
      const respelled = text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1);
      expect(Buffer.from(respelled, "base64url")).toStrictEqual(Buffer.from(text, "base64url"));
      expect(cursors.decode({ scope, cursor: text })).toBeDefined();
      expect(cursors.decode({ scope, cursor: respelled })).toBeUndefined();
    }
  });

  it("is rejected for another account, list, filter or secret", () => {
    for (const other of [
      ["acc_2", "orders", "status=paid"],
      ["acc_1", "contacts", "status=paid"],
      ["acc_1", "orders", "status=pending"],
      ["acc_1", "orders"],
      ["acc_1", "orders", "status=paid", ""],
      ["acc_1orders", "status=paid"],
      [],
    ]) {
      expect(cursors.decode({ scope: other, cursor })).toBeUndefined();
    }
    expect(createCursorCodec({ secret: `${secret}!` }).decode({ scope, cursor })).toBeUndefined();
  });

  it("is rejected for every other scope, even with the same joined text", () => {
    const parts = fc.array(
      fc.constantFrom("", "a", "b", "c", "ab", "bc", '"', ",", "\n", "]", "\\", "\ud800", "\ufffd"),
      {
        maxLength: 4,
      },
    );
    const cut = cursors.encode({ scope: ["a", "bc"], position });
    expect(cursors.decode({ scope: ["ab", "c"], cursor: cut })).toBeUndefined();
    fc.assert(
      fc.property(parts, parts, (own, other) => {
        const same = own.length === other.length && own.every((part, index) => part === other[index]);
        const decoded = cursors.decode({ scope: other, cursor: cursors.encode({ scope: own, position }) });
        expect(decoded !== undefined).toBe(same);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    "",
    "A",
    "not a cursor",
    "eyJpZCI6MX0",
    "AAAAAAAAAAAAAAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAAA",
    "é".repeat(30),
    "A".repeat(1_024),
    "A".repeat(1_025),
    "A".repeat(5_000_000),
  ])("is never %.30s", (text) => {
    expect(cursors.decode({ scope, cursor: text })).toBeUndefined();
  });

  it("is never a random text", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.base64String()), (text) => {
        expect(cursors.decode({ scope, cursor: text })).toBeUndefined();
      }),
    );
  });

  it.each([undefined, null, 7, {}, ["a"]])("is never %j", (value) => {
    expect(cursors.decode({ scope, cursor: value as unknown as string })).toBeUndefined();
  });
});

describe("encode", () => {
  it("requires a secret", () => {
    const empty = expect.objectContaining({ name: "CursorError", code: "empty_secret" });
    expect(() => createCursorCodec({ secret: "" })).toThrow(empty);
    expect(() => createCursorCodec({ secret: new Uint8Array() })).toThrow(empty);
  });

  it.each([[[Number.NaN]], [[Number.POSITIVE_INFINITY]], [[null as unknown as string]]])(
    "rejects a position that JSON would change (%#)",
    (wrong) => {
      expect(() => cursors.encode({ scope, position: wrong })).toThrow(
        expect.objectContaining({ code: "invalid_position" }),
      );
    },
  );

  it("rejects a position that would be too long to decode", () => {
    expect(
      cursors.decode({ scope, cursor: cursors.encode({ scope, position: ["x".repeat(740)] }) }),
    ).toHaveLength(1);
    expect(() => cursors.encode({ scope, position: ["x".repeat(760)] })).toThrow(
      expect.objectContaining({ code: "position_too_long" }),
    );
  });
});
