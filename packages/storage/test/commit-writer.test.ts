import { expect, it } from "vitest";
import type { Commit, Mutation } from "../src/port.ts";
import { createCommitWriter } from "../src/postgres/commit-writer.ts";

const set = (...key: (string | number)[]): Mutation => ({ type: "set", key: ["p00", ...key], value: "x" });

function written(...commits: readonly Commit[]) {
  const writer = createCommitWriter("p00");
  for (const commit of commits) writer.add(commit);
  return { steps: writer.steps, data: writer.data.bytes().toString("latin1") };
}

it("an invalid commit leaves nothing behind", () => {
  const valid = [{ mutations: [set("a"), set("b")] }, { mutations: [set("a"), set("c")] }];
  const writer = createCommitWriter("p00");
  writer.add(valid[0] ?? { mutations: [] });
  expect(() => writer.add({ mutations: [set("c"), set("a"), set("d".repeat(2_000))] })).toThrow(
    expect.objectContaining({ code: "key_too_long" }),
  );
  writer.add(valid[1] ?? { mutations: [] });
  expect({ steps: writer.steps, data: writer.data.bytes().toString("latin1") }).toEqual(written(...valid));
});

it("keys with equal hashes are different keys", () => {
  // So many that about five pairs of them have equal hashes of 30 bits.
  const mutations = Array.from({ length: 100_000 }, (_, index) => set("row", index));
  const { steps } = written({ mutations }, { mutations: mutations.slice(0, 100) });
  const startsOf = (step: number) => steps[step]?.mutations.filter((_, index) => index % 6 === 2) ?? [];
  expect(new Set(startsOf(0)).size).toBe(mutations.length);
  expect(startsOf(1)).toEqual(startsOf(0).slice(0, 100));
});
