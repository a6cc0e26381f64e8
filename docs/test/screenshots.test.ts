import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import {
  hashFile,
  hashPictureSources,
  hashSources,
} from "../../packages/hookwright/scripts/hash-picture-sources.ts";
import { root } from "../.vitepress/pages.ts";

it("the pictures show the console as it is now", () => {
  const hash = readFileSync(hashFile, "utf8").trim();
  expect(hash, "The console changed. Run `npm run screenshots` and commit docs/images.").toBe(
    hashPictureSources(),
  );
});

it("the hash of the sources depends on names and text, not on order or line endings", () => {
  const one = { file: "a.ts", text: "1;\n2;\n" };
  const two = { file: "b.css", text: "a {\n}\n" };
  const hash = hashSources([one, two]);
  expect(hashSources([two, { ...one, text: "1;\r\n2;\r\n" }])).toBe(hash);
  expect(hashSources([one, { ...two, text: "b {\n}\n" }])).not.toBe(hash);
  expect(hashSources([one, { ...two, file: "c.css" }])).not.toBe(hash);
});

it.each(["console-light", "console-dark", "delivery-light", "delivery-dark"])(
  "the picture %s has 1440 × 900 pixels and less than 200 KB",
  (name) => {
    const png = readFileSync(path.join(root, `docs/images/${name}.png`));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_440, 900]);
    expect(png.length).toBeLessThan(200_000);
  },
);

it.each(["light", "dark"])("the %s animation has several frames and less than 1 MB", (scheme) => {
  const png = readFileSync(path.join(root, `docs/images/recover-${scheme}.png`));
  const control = png.indexOf("acTL");
  expect(png.readUInt32BE(control + 4)).toBeGreaterThan(3);
  expect(png.length).toBeLessThan(1_000_000);
});
