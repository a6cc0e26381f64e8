import { runStoreContract } from "@hookwright/storage/contract";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { createStorage } from "unstorage";
import type { Driver } from "unstorage";
import { describe } from "vitest";

/** Registers the contract over drivers of unstorage. Each is called with a new name for each store. */
export function runContractOver(
  drivers: Readonly<Record<string, (name: string) => Driver>>,
  modelRuns: number,
): void {
  let opened = 0;
  for (const [name, createDriver] of Object.entries(drivers)) {
    describe(`over the ${name} driver of unstorage`, async () => {
      await runStoreContract(
        ({ now }) =>
          openUnstorageStore({
            storage: createStorage({ driver: createDriver(`${name}${opened++}`) }),
            now,
            // Small enough for checkpoints during the cases.
            checkpointSize: 40_000,
            onError: reportError,
          }),
        { modelRuns },
      );
    });
  }
}

function reportError(error: unknown): void {
  // A failed checkpoint must fail the test, because nothing else reports it.
  queueMicrotask(() => {
    throw error;
  });
}
