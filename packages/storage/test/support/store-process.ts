import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Commit, Key, ListOptions } from "@hookwright/storage";

export type ChildCall = { readonly number: number } & (
  | { readonly method: "get"; readonly input: Key }
  | { readonly method: "list"; readonly input: ListOptions }
  | { readonly method: "commit"; readonly input: { readonly partition: string; readonly commit: Commit } }
  | { readonly method: "increment"; readonly input: { readonly key: Key; readonly times: number } }
  | { readonly method: "close"; readonly input?: undefined }
);

export type ChildAnswer = { readonly number: number } & (
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string } }
);

/** A store that is open in a process of its own. */
export interface StoreProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  get(key: Key): Promise<unknown>;
  list(options: ListOptions): Promise<unknown>;
  commit(partition: string, commit: Commit): Promise<unknown>;
  /** Adds 1 to a number so many times: reads it, and writes it where it is still the same. */
  increment(key: Key, times: number): Promise<unknown>;
  close(): Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL, and waits for the end. */
  kill9(): Promise<void>;
}

const script = fileURLToPath(new URL("store-process-child.ts", import.meta.url));

/**
 * Starts a process that opens a store; rejects with what the store threw if it cannot be opened.
 *
 * @param options.heartbeatMs of a store over unstorage: one that is killed while it writes a heartbeat leaves half of it, and nobody
 *   can tell then whose it was
 */
export async function openStoreProcess(
  kind: "filesystem" | "unstorage",
  directory: string,
  { heartbeatMs = 100 }: { readonly heartbeatMs?: number } = {},
): Promise<StoreProcess> {
  const child = fork(script, [kind, directory, String(heartbeatMs)], {
    execArgv: [],
    serialization: "advanced",
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let number = 0;

  function expectAnswer(of: number): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(of, answer);
    return answer.promise;
  }

  child.on("message", (answer: ChildAnswer) => {
    const call = waiting.get(answer.number);
    waiting.delete(answer.number);
    if ("error" in answer)
      call?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    else call?.resolve(answer.value);
  });
  void exited.then(() => {
    for (const { reject } of waiting.values()) reject(new Error("the process has ended"));
  });

  function call(what: Omit<ChildCall, "number">): Promise<unknown> {
    number += 1;
    child.send({ number, ...what });
    return expectAnswer(number);
  }

  async function kill9(): Promise<void> {
    child.kill("SIGKILL");
    await exited;
  }

  await expectAnswer(0).catch(async (error: unknown) => {
    await kill9();
    throw error;
  });
  return {
    pid: child.pid,
    get: (input) => call({ method: "get", input }),
    list: (input) => call({ method: "list", input }),
    commit: (partition, commit) => call({ method: "commit", input: { partition, commit } }),
    increment: (key, times) => call({ method: "increment", input: { key, times } }),
    close: () => call({ method: "close" }),
    signal: (signal) => void child.kill(signal),
    kill9,
    [Symbol.asyncDispose]: kill9,
  };
}
