import { describeFinding } from "hookwright";
import type { CheckResult } from "hookwright";
import type { WriteServerLogLine } from "../server-log-lines.ts";

/** The checks of a server that runs. */
export interface CheckWatch {
  /** Sentences for `/readyz`, which is public, so they only name the checks. */
  readonly warnings: () => readonly string[];
  close(): void;
}

/** Somebody corrects what a check has found while the server runs. */
const againAfterMs = 60_000;

/**
 * Runs the checks once, and again every minute until nothing is wrong. Writes a log line when a check begins to find something.
 *
 * @param options.look runs the checks
 * @param options.logged the checks whose findings the log has already
 */
export function watchChecks(options: {
  readonly look: () => Promise<readonly CheckResult[]>;
  readonly log: WriteServerLogLine;
  readonly logged: ReadonlySet<string>;
}): CheckWatch {
  const { log } = options;
  let found: ReadonlySet<string> = options.logged;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function look(): Promise<void> {
    const results = await options.look();
    if (isClosed) return;
    const wrong = results.filter(({ status }) => status === "warning" || status === "failed");
    for (const result of wrong)
      if (!found.has(result.name)) log("check_failed", { check: result.name }, describeFinding(result));
    found = new Set(wrong.map(({ name }) => name));
    if (wrong.length > 0) timer = setTimeout(() => void look(), againAfterMs).unref();
  }

  void look();
  return {
    warnings: () =>
      Array.from(
        found,
        (name) =>
          `The check ${name} has found a problem. The log line check_failed and \`hookwright doctor\` say which.`,
      ),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
