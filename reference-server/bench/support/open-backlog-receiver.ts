import { startProgram } from "./program.ts";

export interface BacklogReceiver extends AsyncDisposable {
  readonly failingOrigin: string;
  readonly slowOrigin: string;
  /** The number of deliveries since the last call. */
  deliveries(): Promise<number>;
}

export async function openBacklogReceiver(): Promise<BacklogReceiver> {
  // Without V8 threads, because they would keep their priority when the process lowers its own.
  const program = startProgram(new URL("backlog-receiver.ts", import.meta.url), {
    execArgv: ["--single-threaded"],
  });
  const { failing, slow } = await program.nextMessage();
  return {
    failingOrigin: `http://127.0.0.1:${failing}`,
    slowOrigin: `http://127.0.0.1:${slow}`,
    deliveries: () => program.request("deliveries"),
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}
