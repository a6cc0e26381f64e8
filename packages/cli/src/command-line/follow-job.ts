import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { CliError, exitStatus } from "../cli-error.ts";
import type { CommandContext } from "./command.ts";

const pollMs = 1_000;
/** Lost connections and refusals in a row, before the display ends. */
const maximumErrors = 5;
const passingErrors = new Set(["rate_limited", "server_unreachable", "internal_error"]);

export interface JobDisplay {
  /** Such as `recovery`. */
  readonly kind: string;
  /** What the last line calls it. @default the kind */
  readonly title?: (id: string) => string;
  readonly describe: (job: Row) => string;
  readonly read: (id: string) => Promise<Row>;
}

/** The part of a context that shows a job. */
export interface JobContext extends Pick<CommandContext, "signal" | "sleep"> {
  readonly output: Pick<CommandContext["output"], "line" | "remark" | "document">;
}

/** Shows the progress of a job that the server does, and returns the exit status. Ctrl-C ends only the display. It survives some lost connections. */
export async function followJob(
  { output, signal, sleep }: JobContext,
  started: Row,
  { kind, title = () => kind, describe, read }: JobDisplay,
): Promise<number> {
  const id = textOf(started, "id") ?? "";
  let job = started;
  let shown = "";
  let errors = 0;
  let pauseMs = pollMs;
  for (;;) {
    const progress = describe(job);
    if (progress !== shown) output.line(progress);
    shown = progress;
    if (textOf(job, "status") !== "running") break;
    try {
      await sleep(pauseMs);
      job = await read(id);
      errors = 0;
      pauseMs = pollMs;
    } catch (error) {
      const mayPass = error instanceof CliError && passingErrors.has(error.code);
      if (mayPass && !signal.aborted && errors < maximumErrors) {
        pauseMs = Math.max(error.retryAfterMs ?? 0, pollMs * 2 ** errors);
        errors += 1;
        continue;
      }
      if (mayPass || signal.aborted) output.remark(`hookwright: the ${kind} ${id} continues on the server.`);
      if (!signal.aborted) throw error;
      return exitStatus.interrupted;
    }
  }
  const isFinished = textOf(job, "status") === "finished";
  output.line(`The ${title(id)} ${isFinished ? "is finished" : "was stopped"}.`);
  output.document(job);
  return isFinished ? exitStatus.done : exitStatus.negative;
}
