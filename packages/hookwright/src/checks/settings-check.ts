import type { StartWarning } from "../options/start-warnings.ts";
import type { UnknownOptions } from "../options/unknown-options.ts";
import { ok, warning } from "./check.ts";
import type { CheckFinding } from "./check.ts";

const ofOpenFiles = "open_files_limit_low";

export function checkSettings(
  warnings: readonly StartWarning[],
  unknown: readonly UnknownOptions[],
): CheckFinding {
  const messages = [
    ...unknown.map(({ message }) => `${message}.`),
    ...warnings.filter(({ code }) => code !== ofOpenFiles).map(({ message }) => message),
  ];
  return messages.length === 0 ? ok("all settings are as expected") : warning(messages.join(" "));
}

/** The limit of this process: that of another one may differ. */
export function checkOpenFiles(warnings: readonly StartWarning[]): CheckFinding {
  const low = warnings.find(({ code }) => code === ofOpenFiles);
  if (low === undefined) return ok("the limit for open files allows all attempts at once");
  const { open_files_limit: limit, open_files_needed: needed } = low.fields ?? {};
  return warning(`${low.message} It is ${limit}, and ${needed} are needed.`);
}
