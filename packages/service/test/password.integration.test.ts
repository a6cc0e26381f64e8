import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { findPassword, hashPassword, isDerivedWith } from "../src/sign-in/password.ts";
import { createPasswordSalt } from "../src/secrets/server-keys.ts";

const passwordSalt = createPasswordSalt({ secret: "a test secret of 32 characters!!" });
const salt = passwordSalt("owner@example.com");

describe("a password", () => {
  it("matches only its own hash, which does not contain it; the first match of several is returned", async () => {
    const hash = await hashPassword("correct horse", salt);
    const other = await hashPassword("other", salt);
    const elsewhere = await hashPassword("other", passwordSalt("before@example.com"));
    expect(hash).not.toContain("correct");
    expect(await findPassword("other", [hash, elsewhere, other], salt)).toBe(1);
    expect(await findPassword("correct horse", [other, hash], salt)).toBe(1);
    expect(await findPassword("correct horse ", [hash, other], salt)).toBe(-1);
    expect(await findPassword("", [hash], salt)).toBe(-1);
    expect(await findPassword("correct horse", [], salt)).toBe(-1);
  });

  it("matches in another Unicode normalisation form", async () => {
    // Keyboards send é as one character, or as e and an accent.
    const hash = await hashPassword("caf\u00e9", salt);
    expect(await findPassword("caf\u0065\u0301", [hash], salt)).toBe(0);
  });

  it("matches a hash with other parameters", async () => {
    const hash = scryptSync("correct horse", "salt", 32, { N: 1_024, r: 8, p: 1 }).toString("base64");
    const stored = `scrypt$1024$8$1$${Buffer.from("salt").toString("base64")}$${hash}`;
    expect(await findPassword("correct horse", [stored], salt)).toBe(0);
    expect(await findPassword("battery staple", [stored], salt)).toBe(-1);
    expect(isDerivedWith(stored, salt)).toBe(false);
    expect(isDerivedWith(await hashPassword("correct horse", salt), salt)).toBe(true);
  });

  it("does not match a truncated hash", async () => {
    expect(await findPassword("correct horse", ["scrypt$1024$8$1$c2FsdA==$"], salt)).toBe(-1);
    expect(await findPassword("correct horse", ["scrypt$1024$8$1$c2FsdA=="], salt)).toBe(-1);
  });
});

describe("a salt", () => {
  it("depends on the address and the server secret", () => {
    expect(salt).toEqual(passwordSalt("owner@example.com"));
    expect(salt).not.toEqual(passwordSalt("other@example.com"));
    const elsewhere = createPasswordSalt({ secret: "another secret of 32 characters!" });
    expect(salt).not.toEqual(elsewhere("owner@example.com"));
    expect(salt).toHaveLength(16);
  });
});
