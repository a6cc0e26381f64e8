import { HookwrightError } from "@hookwright/domain";

/**
 * @param noun the kind of resource, such as `webhook`
 * @param place where it was looked for
 */
export function noSuch(noun: string, place: "account" | "server" = "account"): HookwrightError {
  return new HookwrightError("resource_not_found", `No such ${noun} on this ${place}.`);
}
