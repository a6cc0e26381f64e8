import { expect, it } from "vitest";
import { createConcurrencyLimit } from "../src/limits/concurrency-limit.ts";

it("at most `maximum` tasks run at once; the others start in order, also after a failure", async () => {
  const limit = createConcurrencyLimit(2);
  const started: number[] = [];
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = gates.map(({ promise }, index) =>
    limit(() => {
      started.push(index);
      return promise;
    }).catch((error: unknown) => String(error)),
  );
  await Promise.resolve();
  expect(started).toEqual([0, 1]);
  gates[1]?.reject(new Error("no"));
  expect(await results[1]).toBe("Error: no");
  expect(started).toEqual([0, 1, 2]);
  for (const [index, { resolve }] of gates.entries()) resolve(index);
  expect(await Promise.all(results)).toEqual([0, "Error: no", 2, 3, 4]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(await limit(async () => 7)).toBe(7);
});
