import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { contrastOf, mix } from "../src/colours.ts";

const styles = await readFile(new URL("../site/console/styles/base.css", import.meta.url), "utf8");
const tokens = new Map(
  [...styles.matchAll(/^ {2}--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);$/gmu)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

/** The colours of text. */
const texts = ["ink", "faint", "accent", "delivered", "retrying", "failed", "waiting", "cancelled"];
/** How much of the ink is at most mixed into a ground: below a chosen or pointed-at element. */
const darkest = 0.09;

it.each(["light", "dark"] as const)("the %s colours are readable on all grounds", (theme) => {
  const colourOf = (name: string): string => tokens.get(name)?.[theme] ?? "";
  const grounds = ["ground", "surface"].map(colourOf);
  for (const ground of grounds) {
    for (const text of texts)
      expect([text, contrastOf(colourOf(text), ground)]).toEqual([text, expect.toSatisfy(isAbove(5.1))]);
    expect(contrastOf(colourOf("edge"), ground)).toBeGreaterThanOrEqual(3.1);
    const marked = mix(ground, colourOf("ink"), darkest);
    for (const text of ["ink", "faint", "failed"])
      expect([text, contrastOf(colourOf(text), marked)]).toEqual([text, expect.toSatisfy(isAbove(4.5))]);
    // A note has a little of its tone, and text and links in it.
    for (const tone of texts.slice(2)) {
      const note = mix(colourOf("surface"), colourOf(tone), 0.07);
      for (const text of ["ink", "accent", tone])
        expect([tone, text, contrastOf(colourOf(text), note)]).toEqual([
          tone,
          text,
          expect.toSatisfy(isAbove(4.5)),
        ]);
    }
  }
  expect(contrastOf(colourOf("on-accent"), colourOf("accent"))).toBeGreaterThanOrEqual(4.5);
  expect(contrastOf(colourOf("surface"), colourOf("failed"))).toBeGreaterThanOrEqual(4.5);
});

function isAbove(minimum: number): (contrast: number) => boolean {
  return (contrast) => contrast >= minimum;
}
