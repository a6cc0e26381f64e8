import type { OpenStore } from "./contract-case.ts";
import { loadTestTool } from "./load-test-tool.ts";
import { storeContractCases } from "./store-contract-cases.ts";
import { checkStoreAgainstModel } from "./model-check.ts";

/**
 * Registers the whole contract as vitest tests: every case, and the check against the model. Vitest and fast-check are
 * loaded by this call, not by the import.
 *
 * @param options.modelRuns how many random histories. @default 100
 * @throws {StorageError} `missing_dependency` without the package `vitest`; a case fails without `fast-check`
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
      "behaves as the model does, whatever runs at once",
      () => checkStoreAgainstModel({ openStore, runs: modelRuns }),
      120_000,
    );
  });
}
