import { checkTimeoutMs, runCheck, skipped } from "./check.ts";
import type { Check, CheckResult } from "./check.ts";
import type { StorageAccess } from "./storage-access.ts";

/** Runs checks at once. Those that need the storage wait until the check `storage` has opened it. */
export async function runChecks(
  checks: readonly Check[],
  access: StorageAccess,
): Promise<readonly CheckResult[]> {
  const storage = checks.find(({ name }) => name === "storage");
  const ofStorage = storage === undefined ? undefined : runCheck(storage, checkTimeoutMs);
  return Promise.all(checks.map(run));

  async function run(check: Check): Promise<CheckResult> {
    if (check === storage && ofStorage !== undefined) return ofStorage;
    const opened = check.storage === undefined ? undefined : await ofStorage;
    if (opened === undefined || check.storage === "used" || access.store() !== undefined)
      return runCheck(check, checkTimeoutMs);
    const reason = opened.status === "skipped" ? opened.message : "the storage cannot be used";
    return { name: check.name, ...skipped(reason) };
  }
}
