import { describe, expect, it } from "vitest";
import { attackNames, parseOptions } from "../bench/attacks/options.ts";

describe("the options of the attacks bench", () => {
  it("default to ten minutes of every attack on the filesystem", () => {
    expect(parseOptions([])).toEqual({
      seconds: 600,
      storage: "filesystem",
      attacks: attackNames,
    });
  });

  it("can choose some attacks", () => {
    const { seconds, attacks } = parseOptions(["--seconds", "60", "--only", "pipeline,bodies"]);
    expect({ seconds, attacks }).toEqual({ seconds: 60, attacks: ["bodies", "pipeline"] });
  });

  it.each([
    [["--only", "bodies,nope"], /^--only must be one of bodies, pipeline, .*; "nope" is not\.$/u],
    [["--seconds", "0"], '--seconds must be a whole number from 1 to 999999; "0" is not.'],
    [["--storage", "paper"], '--storage must be one of filesystem, memory, redis; "paper" is not.'],
    [["--minutes", "10"], "--minutes"],
  ])("an invalid option is named: %j", (args, reason) => {
    expect(() => parseOptions(args)).toThrow(reason);
  });
});
