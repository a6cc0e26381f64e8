import { rmSync } from "node:fs";
import { constants } from "node:os";
import type { Program } from "../program.ts";

/**
 * A signal ends the program at once, with the code shells give for it; before that what lies at a path goes, which nobody would
 * look for: an account in the clear. A connection to another machine that breaks is one as well.
 */
export function removeWhenStopped(
  { onSignal, onHangUp, complain, exit }: Pick<Program, "onSignal" | "onHangUp" | "complain" | "exit">,
  path: string,
): void {
  function stop(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      complain(`${path} is left behind: ${error instanceof Error ? error.message : String(error)}`);
    }
    exit(128 + constants.signals[signal]);
  }
  onSignal(stop);
  onHangUp(() => stop("SIGHUP"));
}
