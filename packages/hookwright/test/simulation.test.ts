import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBreaches } from "./simulation/find-breaches.ts";
import { anyOperations, calmOperations } from "./simulation/operations.ts";
import type { Operation } from "./simulation/operations.ts";
import { createSimulation } from "./simulation/simulation.ts";

/**
 * Every run of all tests looks at the same few histories; `SIMULATIONS=1000` looks at others, as many of each kind. What fast-check
 * prints of a failure brings it back.
 */
const { SIMULATIONS } = process.env;
const options =
  SIMULATIONS === undefined ? { numRuns: 20, seed: 20_261_122 } : { numRuns: Number(SIMULATIONS) };
const timeout = 60_000 + options.numRuns * 20_000;

/** What a run shows to have gone wrong. */
async function findBreachesOf({
  seed,
  operations,
  workers,
  isCalm,
}: {
  readonly seed: number;
  readonly operations: readonly Operation[];
  readonly workers: number;
  readonly isCalm: boolean;
}): Promise<string[]> {
  const simulation = await createSimulation(seed, workers);
  try {
    for (const operation of operations) await simulation.perform(operation);
    await simulation.heal();
    return await findBreaches(simulation, { isCalm });
  } finally {
    await simulation.close();
  }
}

const seeds = fc.integer();

describe("whatever is asked for, in whatever order, what is promised of deliveries holds", () => {
  it("while every process lives", { timeout }, async () => {
    const workers = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(seeds, calmOperations, workers, async (seed, operations, workers) => {
        expect(await findBreachesOf({ seed, operations, workers, isCalm: true })).toEqual([]);
      }),
      options,
    );
  });

  it(
    "and when processes die, stand still, join and leave, and the storage goes away",
    { timeout },
    async () => {
      const workers = fc.integer({ min: 0, max: 3 });
      await fc.assert(
        fc.asyncProperty(seeds, anyOperations, workers, async (seed, operations, workers) => {
          expect(await findBreachesOf({ seed, operations, workers, isCalm: false })).toEqual([]);
        }),
        options,
      );
    },
  );
});
