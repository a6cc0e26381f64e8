import { describeFinding } from "./check.ts";
import type { CheckResult } from "./check.ts";

/** One line for each check. */
export function renderChecks(results: readonly CheckResult[]): string {
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

/** One JSON document: `{ ok, checks: [{ name, status, message, fix? }] }`. */
export function renderChecksAsJson(results: readonly CheckResult[]): string {
  return JSON.stringify({ ok: isAllWell(results), checks: results }, undefined, 2);
}

export function isAllWell(results: readonly CheckResult[]): boolean {
  return results.every(({ status }) => status !== "failed");
}

/** The secrets in a URL: its password, as written and decoded. */
export function secretsInUrl(text: string | undefined): readonly string[] {
  const password = URL.parse(text ?? "")?.password ?? "";
  if (password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
