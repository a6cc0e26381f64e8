import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const page = new URL("../operations/data-protection.md", import.meta.url);
const text = readFileSync(page, "utf8");

/** Texts in the files with all keys that are no kind of row. */
const otherTexts = new Set(["confirmations", "default", "event", "number", "string"]);

/** The kinds of rows that a package writes: the second part of each key. */
function kindsIn(file: string): readonly string[] {
  const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), "utf8");
  const code = source.replaceAll(/\/\*\*.*?\*\/|\/\/[^\n]*/gsu, "");
  const found = [...code.matchAll(/"([a-z]+(?:-[a-z]+)*)"/gu)].map(([, kind = ""]) => kind);
  return [...new Set(found)].filter((kind) => !otherTexts.has(kind));
}

it("the table of what is stored has each kind of row once", () => {
  const [, table = ""] = /## What is stored\n(.*?)\n## /su.exec(text) ?? [];
  const listed = table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => [...(line.split("|").at(-2) ?? "").matchAll(/`([a-z-]+)`/gu)].map(([, kind]) => kind));
  const kinds = [...kindsIn("service/src/rows/keys.ts"), ...kindsIn("delivery/src/storage/keys.ts")];
  expect(kinds.length).toBeGreaterThan(90);
  expect(kinds.filter((kind) => !listed.includes(kind))).toEqual([]);
  expect(listed.filter((kind, index) => listed.indexOf(kind) !== index)).toEqual([]);
});
