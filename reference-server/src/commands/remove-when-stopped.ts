import { rmSync } from "node:fs";
import { constants } from "node:os";
import type { Program } from "@hookwright/cli";

/**
 * Removes a path when a signal ends the program, then exits with the exit code of that signal. The path holds
 * unencrypted account data that nobody would look for. A closed terminal (SIGHUP) counts as a signal too.
 */
export function removeWhenStopped(
  { onSignal, onHangUp, complain, exit }: Pick<Program, "onSignal" | "onHangUp" | "complain" | "exit">,
  path: string,
): void {
  function stop(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      complain(`${path} could not be removed: ${error instanceof Error ? error.message : String(error)}`);
    }
    exit(128 + constants.signals[signal]);
  }
  onSignal(stop);
  onHangUp(() => stop("SIGHUP"));
}
