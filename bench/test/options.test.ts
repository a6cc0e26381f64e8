import { describe, expect, it } from "vitest";
import { attackOptions } from "../attacks/names.ts";
import { parseOptions } from "../harness/options.ts";
import { scaleOptions } from "../harness/scale-options.ts";

describe("the options of a bench", () => {
  it("have defaults", () => {
    expect(parseOptions(attackOptions, [])).toMatchObject({ seconds: 600, storage: "file" });
    expect(parseOptions(attackOptions, []).only).toHaveLength(15);
    expect(parseOptions(scaleOptions, [])).toMatchObject({ storage: "file", rounds: 3, backlog: 1_000_000 });
  });

  it("can choose some parts, in their order", () => {
    const args = ["--seconds", "60", "--only", "pipeline,bodies"];
    expect(parseOptions(attackOptions, args)).toMatchObject({ seconds: 60, only: ["bodies", "pipeline"] });
  });

  it.each([
    [["--only", "nope"], '--only must be one of endpoints, accounts, backlog, workers, costs; "nope"'],
    [["--storage", "paper"], '--storage must be one of file, redis, postgres; "paper" is not.'],
    [["--rounds", "0"], '--rounds must be a whole number from 1 to 99999999; "0" is not.'],
    [["--minutes", "10"], "--minutes"],
  ])("an invalid one is named: %j", (args, reason) => {
    expect(() => parseOptions(scaleOptions, args)).toThrow(reason);
  });
});
