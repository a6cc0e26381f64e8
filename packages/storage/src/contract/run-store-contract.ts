import type { OpenStore } from "./contract-case.ts";
import { loadTestTool } from "./load-test-tool.ts";
import { storeContractCases } from "./store-contract-cases.ts";
import { checkStoreAgainstModel } from "./model-check.ts";

/**
 * Registers all contract cases and the model check as vitest tests. Loads vitest and fast-check when it is
 * called.
 *
 * @param options.modelRuns the number of random histories. @default 100
 * @throws {StorageError} `missing_dependency` without the package `vitest`. Without `fast-check`, one test
 *   fails
 * @example
 * await runStoreContract(({ now }) => memoryStore({ now }));
 */
export async function runStoreContract(
  openStore: OpenStore,
  options: { readonly modelRuns?: number | undefined } = {},
): Promise<void> {
  const { modelRuns = 100 } = options;
  const { describe, it } = await loadTestTool("vitest@5", () => import("vitest"));
  describe("the store contract", () => {
    for (const { name, run } of storeContractCases) it(name, () => run({ openStore }), 60_000);
    it(
      "concurrent commits behave like the model",
      () => checkStoreAgainstModel({ openStore, runs: modelRuns }),
      120_000,
    );
  });
}
