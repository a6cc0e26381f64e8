import process from "node:process";
import { endChildren, interrupt, interruptAbandoned, Interrupted, raise } from "./children.mjs";
import { describeFailure } from "./describe-failure.mjs";
import { watchLauncher } from "./launcher.mjs";

/**
 * Runs a script's work and ends the process as it ended. SIGINT, SIGTERM and SIGHUP go on to whatever is running; so does the death
 * of the npm that started us, as SIGTERM. What people can mend is told in words.
 *
 * @param {() => Promise<{ code: number | null, signal: NodeJS.Signals | null } | number | void>} work
 */
export async function main(work) {
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, interrupt);
  watchLauncher(interruptAbandoned);
  try {
    const ended = await work();
    if (typeof ended !== "object") process.exit(ended ?? 0);
    if (ended.signal === null) process.exit(ended.code ?? 1);
    raise(ended.signal);
  } catch (error) {
    await endChildren();
    if (error instanceof Interrupted) return raise(error.signal);
    process.stderr.write(`\n${describeFailure(error)}\n`);
    process.exit(1);
  }
}
