import { scryptSync } from "node:crypto";
import { expect, it } from "vitest";
import { hashOfNobody, hashPassword, verifyPassword } from "../src/accounts/password.ts";

it("a password is told from all others, and its hash from one time to the next", async () => {
  const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(first).not.toBe(second);
  expect(first).not.toContain("correct");
  expect(await verifyPassword("correct horse", first)).toBe(true);
  expect(await verifyPassword("correct horse ", first)).toBe(false);
  expect(await verifyPassword("", first)).toBe(false);
});

it("two ways of typing one letter are one password", async () => {
  // A key sends é as one character, another system as e and an accent.
  expect(await verifyPassword("caf\u0065\u0301", await hashPassword("caf\u00e9"))).toBe(true);
});

it("a hash made with other parameters is still understood", async () => {
  const hash = scryptSync("correct horse", "salt", 32, { N: 1_024, r: 8, p: 1 }).toString("base64");
  const stored = `scrypt$1024$8$1$${Buffer.from("salt").toString("base64")}$${hash}`;
  expect(await verifyPassword("correct horse", stored)).toBe(true);
  expect(await verifyPassword("battery staple", stored)).toBe(false);
});

it("a hash that was cut short fits no password", async () => {
  expect(await verifyPassword("correct horse", "scrypt$1024$8$1$c2FsdA==$")).toBe(false);
});

it("nobody's hash looks like anybody's", async () => {
  const [nobodys, anybodys] = [hashOfNobody(), await hashPassword("correct horse")];
  const shapeOf = (hash: string) => hash.split("$").map((part) => (/^\d+$/u.test(part) ? part : part.length));
  expect(shapeOf(nobodys)).toEqual(shapeOf(anybodys));
  expect(nobodys).not.toBe(hashOfNobody());
});
