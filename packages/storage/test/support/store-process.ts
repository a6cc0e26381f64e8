import { spawn } from "node:child_process";
import process from "node:process";
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

/** A store in its own process. */
export interface StoreProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  get(key: Key): Promise<unknown>;
  list(options: ListOptions): Promise<unknown>;
  commit(partition: string, commit: Commit): Promise<unknown>;
  /** Increments a number repeatedly, with a read and a checked commit each time. */
  increment(key: Key, times: number): Promise<unknown>;
  close(): Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGKILL and waits for the exit. */
  kill9(): Promise<void>;
}

const script = fileURLToPath(new URL("store-process-child.ts", import.meta.url));

/**
 * Starts a process that opens a store. Rejects with the store's error if it cannot be opened.
 *
 * @param options.heartbeatMs for an unstorage store. A process that is killed during a heartbeat leaves a
 *   damaged item, which does not show whose it was
 * @param options.launcher a command that runs the process
 */
export async function openStoreProcess(
  kind: "filesystem" | "unstorage",
  directory: string,
  {
    heartbeatMs = 100,
    launcher = [],
  }: { readonly heartbeatMs?: number; readonly launcher?: readonly string[] } = {},
): Promise<StoreProcess> {
  const command = [...launcher, process.execPath, script, kind, directory, String(heartbeatMs)];
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
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
