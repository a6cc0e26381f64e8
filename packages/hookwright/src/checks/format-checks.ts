import { describeFinding } from "./check.ts";
import type { CheckResult } from "./check.ts";

/**
 * Returns one line for each check: its status, its name, and what was found with what to do.
 *
 * @example
 * console.log(formatChecks(await checkHookwright(options)));
 * // ok       storage   the redis storage: reads take 0.3 ms (at most 1.2 ms), writes 0.8 ms (at most 3.4 ms)
 * // skipped  proxy     egress.proxy is not set, so deliveries go out directly
 */
export function formatChecks(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  return results
    .map((result) =>
      [
        result.status.padEnd("skipped".length),
        result.name.padEnd(width),
        describeFinding(result).replace(/\s+/gu, " "),
      ].join("  "),
    )
    .join("\n");
}
