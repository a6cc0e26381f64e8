import type { WriteServerLogLine } from "../server-log-lines.ts";
import { describeFinding } from "./check.ts";
import type { CheckResult } from "./check.ts";

/** The checks of a server that runs. */
export interface CheckWatch {
  /** Sentences for `/readyz`, which is public, so they only name the checks. */
  readonly warnings: () => readonly string[];
  close(): void;
}

/** Somebody corrects what a check has found while the server runs. */
const againAfterMs = 60_000;

/**
 * Runs the checks once, and again every minute until nothing is wrong. Writes a log line for each new finding.
 *
 * @param options.look runs the checks
 * @param options.logged findings that the log has already, by the name of their check
 */
export function watchChecks(options: {
  readonly look: () => Promise<readonly CheckResult[]>;
  readonly log: WriteServerLogLine;
  readonly logged: ReadonlyMap<string, string>;
}): CheckWatch {
  const { log } = options;
  let findings: ReadonlyMap<string, string> = options.logged;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const results = await options.look();
    if (isClosed) return;
    const wrong = results.filter(({ status }) => status === "warning" || status === "failed");
    for (const result of wrong) {
      const message = describeFinding(result);
      if (findings.get(result.name) !== message) log("check_failed", { check: result.name }, message);
    }
    findings = new Map(wrong.map((result) => [result.name, describeFinding(result)]));
    if (wrong.length > 0) timer = setTimeout(() => void look(), againAfterMs).unref();
  }

  void look();
  return {
    warnings: () =>
      Array.from(
        findings.keys(),
        (name) =>
          `The check ${name} has found a problem. The log line check_failed and \`hookwright doctor\` say which.`,
      ),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
