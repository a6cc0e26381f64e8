import { hasAccounts, isBoundToServerSecret } from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import { ok, skipped, warning } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/** A storage without accounts is suspicious: a restore may have failed. At a first start it is normal, so this is a warning. */
export async function checkData(store: Store, name: string): Promise<CheckFinding> {
  if (store.name === "memory") return skipped("the data in memory begins with the process");
  if (await hasAccounts(store)) return ok("there are accounts");
  return warning(
    `${name} ${(await isBoundToServerSecret(store)) ? "has no account" : "is empty"}`,
    "Before the first account this is normal. After a restore it means that the backup was not read: stop all processes and restore it again.",
  );
}
