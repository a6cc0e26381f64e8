import { findBreaches } from "./find-breaches.ts";
import type { Operation } from "./operations.ts";
import { createSimulation } from "./simulation.ts";
import type { OpenStorage } from "./storages.ts";

export interface Run {
  readonly seed: number;
  readonly operations: readonly Operation[];
  readonly workers: number;
  /** True if every process lives and the storage stays available. */
  readonly isCalm: boolean;
  readonly openStorage: OpenStorage;
}

/** Runs a simulation and returns all breaches of the guarantees. */
export async function findBreachesOf({
  seed,
  operations,
  workers,
  isCalm,
  openStorage,
}: Run): Promise<string[]> {
  const simulation = await createSimulation({ seed, workers, openStorage });
  try {
    for (const operation of operations) await simulation.perform(operation);
    await simulation.heal();
    return await findBreaches(simulation, { isCalm });
  } finally {
    await simulation.close();
  }
}
