import { HookwrightError } from "@hookwright/domain";

/** @param noun the kind of resource, such as `webhook` */
export function noSuch(noun: string): HookwrightError {
  return new HookwrightError("resource_not_found", `No such ${noun} on this account.`);
}
