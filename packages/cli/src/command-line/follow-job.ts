import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { exitStatus } from "../cli-error.ts";
import type { CommandContext } from "./command.ts";

const pollMs = 1_000;

export interface JobDisplay {
  /** Such as `recovery`. */
  readonly kind: string;
  /** What the last line calls it. @default the kind */
  readonly title?: (id: string) => string;
  readonly describe: (job: Row) => string;
  readonly read: (id: string) => Promise<Row>;
}

/** Shows the progress of a job that the server does, and returns the exit status. Ctrl-C ends only the display. */
export async function followJob(
  { output, signal, sleep }: CommandContext,
  started: Row,
  { kind, title = () => kind, describe, read }: JobDisplay,
): Promise<number> {
  const id = textOf(started, "id") ?? "";
  let job = started;
  let shown = "";
  for (;;) {
    const progress = describe(job);
    if (progress !== shown) output.line(progress);
    shown = progress;
    if (textOf(job, "status") !== "running") break;
    try {
      await sleep(pollMs);
      job = await read(id);
    } catch (error) {
      if (!signal.aborted) throw error;
      output.remark(`hookwright: the ${kind} ${id} continues on the server.`);
      return exitStatus.interrupted;
    }
  }
  const isFinished = textOf(job, "status") === "finished";
  output.line(`The ${title(id)} ${isFinished ? "is finished" : "was stopped"}.`);
  output.document(job);
  return isFinished ? exitStatus.done : exitStatus.negative;
}
