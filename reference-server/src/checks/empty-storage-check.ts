import { hasAccounts, isBoundToServerSecret } from "hookwright";
import type { CheckFinding } from "hookwright";
import { findServerSecret } from "../server-secret.ts";
import type { StoredSecretOptions } from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";

/**
 * A storage without accounts is suspicious if there is a server secret: a restore may have failed. At a first start with a given
 * secret it is normal, so this is a warning.
 */
export async function checkEmptyStorage(options: StoredSecretOptions): Promise<CheckFinding> {
  const { storage, store, given } = options;
  // Data in memory begins with the process.
  if (storage.type === "memory" || (await hasAccounts(store))) return ok("there are accounts");
  if ((await findServerSecret(options)) === undefined) return ok("there is no account yet, and no secret");
  const name = given === undefined ? "the file `secret` exists" : "HOOKWRIGHT_SECRET is set";
  const isUsed = await isBoundToServerSecret(store);
  return {
    status: "warning",
    message: `${describeStorage(storage)} ${isUsed ? "has no account" : "is empty"}, although ${name}`,
    fix: `Before the first account this is normal. After a restore it means that the backup was not read${hints[storage.type] ?? ""}: stop all servers and restore it again.`,
  };
}

const ok = (message: string): CheckFinding => ({ status: "ok", message });

const hints: Readonly<Record<string, string>> = {
  redis: " (with appendonly yes, Redis does not read dump.rdb)",
};
