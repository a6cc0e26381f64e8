import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { hashFile, hashPictureSources } from "../../packages/hookwright/scripts/hash-picture-sources.ts";
import { root } from "../.vitepress/pages.ts";

it("the pictures of the console are up to date", () => {
  const taken = readFileSync(hashFile, "utf8").trim();
  expect(taken, "The console changed. Run `npm run screenshots` and commit docs/images.").toBe(
    hashPictureSources(),
  );
});

it.each(["light", "dark"])("the %s picture is 1440×900 and below 200 KB", (scheme) => {
  const png = readFileSync(path.join(root, `docs/images/console-${scheme}.png`));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_440, 900]);
  expect(png.length).toBeLessThan(200_000);
});
