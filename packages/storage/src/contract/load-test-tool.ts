import { StorageError } from "../storage-error.ts";

/** Loads a package that only users of the contract need. */
export async function loadTestTool<Tool>(toInstall: string, load: () => Promise<Tool>): Promise<Tool> {
  try {
    return await load();
  } catch (cause) {
    throw new StorageError(
      "missing_dependency",
      `The store contract needs a package that could not be loaded. Install it next to @hookwright/storage, for example with npm install --save-dev ${toInstall}.`,
      { cause },
    );
  }
}
