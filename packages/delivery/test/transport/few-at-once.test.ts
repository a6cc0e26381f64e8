import { expect, it } from "vitest";
import { createFewAtOnce } from "../../src/transport/few-at-once.ts";
import { rest } from "../support/fake-clock.ts";

it("so many pieces of work are under way at once, in the order they came, whether they end well or not", async () => {
  const fewAtOnce = createFewAtOnce(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const outcomes = Promise.allSettled(
    ends.map(({ promise }, index) =>
      fewAtOnce(() => {
        begun.push(index);
        return promise;
      }),
    ),
  );
  await rest();
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("no text"));
  await rest();
  expect(begun).toEqual([0, 1, 2]);
  ends.forEach(({ resolve }, index) => resolve(index));
  expect((await outcomes).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
