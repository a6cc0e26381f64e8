import { expect, it } from "vitest";
import { playRounds } from "../harness/rounds.ts";
import { quartiles } from "../harness/table.ts";

it("a ratio compares what two contenders measured in the same round", async () => {
  const measured: string[] = [];
  const measureBy = (name: string, costs: number[]) => async () => {
    measured.push(name);
    return { perSecond: 1, cpuMicroseconds: costs.shift() ?? Number.NaN };
  };
  const contest = { before: measureBy("before", [10, 40]), now: measureBy("now", [20, 10]) };
  const { ratiosOf } = await playRounds(contest, 2, 1, () => {});
  expect(ratiosOf("before", "now", "cpuMicroseconds")).toEqual([0.5, 4]);
  expect(measured).toEqual(["before", "now", "now", "before"]);
});

it("the quartiles leave out the lowest and the highest quarter", () => {
  expect(quartiles([8, 1, 3, 2, 5, 4, 7, 6])).toBe("3.00–7.00");
});
