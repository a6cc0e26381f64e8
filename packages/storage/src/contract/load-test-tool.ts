import { StorageError } from "../storage-error.ts";

/** Loads what none but those who run the contract have to install. @throws {StorageError} `missing_dependency` */
export async function loadTestTool<Tool>(toInstall: string, load: () => Promise<Tool>): Promise<Tool> {
  try {
    return await load();
  } catch (cause) {
    throw new StorageError(
      "missing_dependency",
      `The store contract needs a package that could not be loaded: install it beside @hookwright/storage (npm install --save-dev ${toInstall}, or the like).`,
      { cause },
    );
  }
}
