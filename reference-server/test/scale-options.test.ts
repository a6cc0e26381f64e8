import { describe, expect, it } from "vitest";
import { parseScaleOptions } from "../bench/support/scale-options.ts";

describe("the options of the scale bench", () => {
  it("default to files", () => {
    expect(parseScaleOptions([])).toMatchObject({ storage: "file", rounds: 3, backlog: 1_000_000 });
  });

  it("can choose some curves", () => {
    const { curves: chosen, accounts } = parseScaleOptions([
      "--only",
      "workers,accounts",
      "--accounts",
      "500",
    ]);
    expect({ chosen, accounts }).toEqual({ chosen: ["accounts", "workers"], accounts: 500 });
  });

  it.each([
    [["--only", "nope"], '--only must be one of endpoints, accounts, backlog, workers, costs; "nope"'],
    [["--workers", "3"], '--workers must be one of 1, 2, 4; "3" is not.'],
    [["--rounds", "0"], '--rounds must be a whole number from 1 to 99999999; "0" is not.'],
  ])("an invalid option is named: %j", (args, reason) => {
    expect(() => parseScaleOptions(args)).toThrow(reason);
  });
});
