import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readGuide } from "./support/read-guide.ts";

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));

/** The help texts that the guide shows, by command line. */
const shown = readGuide(new URL("../guide/cli.md", import.meta.url)).flatMap(({ code }) => {
  const [, line, text] = /^\$ (hookwright .*--help)\n([\s\S]*)$/u.exec(code) ?? [];
  return line === undefined || text === undefined ? [] : [{ line, text }];
});

describe("the guide to the command line", () => {
  it("shows the overview and the help of listen", () => {
    expect(shown.map(({ line }) => line)).toEqual(["hookwright --help", "hookwright listen --help"]);
  });

  it.each(shown)("shows what `$line` prints", ({ line, text }) => {
    const [, ...commandLine] = line.split(" ");
    const { status, stdout } = spawnSync(process.execPath, [main, ...commandLine], {
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: text });
  });
});
