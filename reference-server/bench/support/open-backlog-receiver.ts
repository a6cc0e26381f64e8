import { startProgram } from "./program.ts";

export interface BacklogReceiver extends AsyncDisposable {
  readonly failingOrigin: string;
  readonly slowOrigin: string;
  /** How many deliveries have come since the last call. */
  deliveries(): Promise<number>;
}

export async function openBacklogReceiver(): Promise<BacklogReceiver> {
  // V8's threads would keep their priority when the process lowers its own: it has none.
  const program = startProgram(new URL("backlog-receiver.ts", import.meta.url), {
    execArgv: ["--single-threaded"],
  });
  const { failing, slow } = await program.said();
  return {
    failingOrigin: `http://127.0.0.1:${failing}`,
    slowOrigin: `http://127.0.0.1:${slow}`,
    deliveries: () => program.ask("deliveries"),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
