import { afterEach, expect, it, vi } from "vitest";
import { createCommitGroups } from "../src/postgres/commit-groups.ts";

afterEach(() => vi.useRealTimers());

it("a transaction that fails takes only commits with it that have waited for a second", async () => {
  vi.useFakeTimers({ toFake: ["performance", "setImmediate"] });
  const error = new Error("no connection");
  const first = Promise.withResolvers<readonly number[]>();
  const applied: number[] = [];
  const groups = createCommitGroups({
    apply: (_, notifications) => {
      applied.push(...notifications.map(({ keys }) => Number(keys[0]?.[2])));
      return applied.length === 1 ? first.promise : Promise.resolve([]);
    },
    onNotify: () => {},
  });
  const commit = (number: number) => {
    const key = ["p00", "row", number] as const;
    return groups.commit("p00", { mutations: [{ type: "set", key, value: "" }], notify: [key] });
  };
  const inFlight = commit(0);
  await vi.advanceTimersByTimeAsync(1);
  // Both are in one batch.
  const late = commit(1);
  await vi.advanceTimersByTimeAsync(1_500);
  const recent = commit(2);
  await vi.advanceTimersByTimeAsync(1);
  const settled = Promise.allSettled([inFlight, late, recent]);
  first.reject(error);
  await vi.advanceTimersByTimeAsync(1);
  expect(await settled).toEqual([
    { status: "rejected", reason: error },
    { status: "rejected", reason: error },
    { status: "fulfilled", value: { ok: true } },
  ]);
  expect(applied).toEqual([0, 2]);
});
