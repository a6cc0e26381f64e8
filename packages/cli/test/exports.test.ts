import { expect, it } from "vitest";
import * as cli from "../src/index.ts";

it("the package exports these names", () => {
  expect(Object.keys(cli).toSorted()).toEqual([
    "describeCommand",
    "integratorCommands",
    "parseArguments",
    "runProcess",
    "runProgram",
  ]);
});
