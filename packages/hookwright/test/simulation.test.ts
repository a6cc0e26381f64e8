import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBreaches } from "./simulation/find-breaches.ts";
import { anyOperations, calmOperations } from "./simulation/operations.ts";
import type { Operation } from "./simulation/operations.ts";
import { createSimulation } from "./simulation/simulation.ts";

/** More with `SIMULATIONS=1000`: every run of all tests has time for a few. What fast-check prints of a failure brings it back. */
const runs = Number(process.env["SIMULATIONS"] ?? 25);

async function run(seed: number, operations: readonly Operation[], workers: number): Promise<void> {
  const simulation = await createSimulation(seed, workers);
  try {
    for (const operation of operations) await simulation.perform(operation);
    await simulation.heal();
    expect(await findBreaches(simulation)).toEqual([]);
  } finally {
    await simulation.close();
  }
}

describe("whatever is asked for, in whatever order, what is promised of deliveries holds", () => {
  it("while every process lives", { timeout: 60_000 + runs * 20_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.integer(), calmOperations, fc.integer({ min: 1, max: 3 }), run), {
      numRuns: runs,
    });
  });

  it(
    "and when processes die, stand still, join and leave, and the storage goes away",
    { timeout: 60_000 + runs * 20_000 },
    async () => {
      await fc.assert(fc.asyncProperty(fc.integer(), anyOperations, fc.integer({ min: 0, max: 3 }), run), {
        numRuns: runs,
      });
    },
  );
});
