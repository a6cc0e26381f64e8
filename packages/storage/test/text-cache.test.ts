import { expect, it } from "vitest";
import { createTextCache } from "../src/text-cache.ts";

function createCounted(maximum: number) {
  const parsed: string[] = [];
  const parse = createTextCache(
    (text) => {
      parsed.push(text);
      return { text };
    },
    { maximum },
  );
  return { parse, parsed };
}

it("a text is parsed once", () => {
  const { parse, parsed } = createCounted(10);
  const answers = ["a", "b", "a", "a", "b"].map(parse);
  expect(answers.map(({ text }) => text)).toEqual(["a", "b", "a", "a", "b"]);
  expect(answers[2]).toBe(answers[0]);
  expect(parsed).toEqual(["a", "b"]);
});

it("keeps texts that are used now and then, and at most twice the maximum", () => {
  const { parse, parsed } = createCounted(3);
  for (const text of ["kept", "1", "2", "3", "kept", "4", "5", "kept", "6", "7", "kept"]) parse(text);
  expect(parsed.filter((text) => text === "kept")).toHaveLength(1);
  parsed.length = 0;
  for (const text of ["1", "2"]) parse(text);
  expect(parsed).toEqual(["1", "2"]);
});
