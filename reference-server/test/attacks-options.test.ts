import { describe, expect, it } from "vitest";
import { attackNames, parseOptions } from "../bench/attacks/options.ts";

describe("the options of the bench of attacks", () => {
  it("are ten minutes of every attack on the filesystem, unless they are given", () => {
    expect(parseOptions([])).toEqual({
      seconds: 600,
      warmUpSeconds: 15,
      storage: "filesystem",
      attacks: attackNames,
      openFiles: 1_024,
    });
  });

  it("choose some attacks", () => {
    const { seconds, attacks } = parseOptions(["--seconds", "60", "--only", "pipeline,bodies"]);
    expect({ seconds, attacks }).toEqual({ seconds: 60, attacks: ["bodies", "pipeline"] });
  });

  it.each([
    [
      ["--only", "bodies,nope"],
      '--only must be one of bodies, pipeline, silent, resends, search, mails, sign-ins; "nope"',
    ],
    [["--seconds", "0"], '--seconds must be a whole number from 1 to 999999; "0" is not.'],
    [["--storage", "paper"], '--storage must be one of filesystem, memory, redis; "paper" is not.'],
    [["--minutes", "10"], "--minutes"],
  ])("that are wrong are named: %j", (args, reason) => {
    expect(() => parseOptions(args)).toThrow(reason);
  });
});
