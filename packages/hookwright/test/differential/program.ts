import type { Store } from "@hookwright/storage";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { StorageUnderTest } from "../end-to-end/support/storages.ts";
import { hostToken } from "./random-request.ts";
import type { RandomRequest } from "./random-request.ts";
import { createNames } from "./names.ts";
import { toRequest } from "./to-request.ts";

/** The parts of a response that must be the same in every program. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Two processes over one storage. */
export interface Program extends AsyncDisposable {
  readonly storage: string;
  /** Sends the request to the chosen process. */
  ask(request: RandomRequest): Promise<Answer>;
  /** Returns the tables that were written since the last call, except those that every request writes. */
  takeWritten(): readonly unknown[];
}

const ofEveryRequest: ReadonlySet<unknown> = new Set([
  "request-window",
  "request",
  "request-count",
  "api-key-use",
]);

export async function openProgram(storage: StorageUnderTest, now: () => number): Promise<Program> {
  const { store, close } = await storage.open(now);
  const names = createNames();
  let written: unknown[] = [];
  const recorded: Store = {
    ...store,
    async commit(partition, commit) {
      const result = await store.commit(partition, commit);
      if (result.ok) written.push(...commit.mutations.map(({ key }) => key[1]));
      return result;
    },
  };
  const openProcess = () =>
    createHookwright({
      store: recorded,
      secret: "a secret of thirty-two characters",
      hostToken,
      role: "api",
      rateLimitPerMinute: 1_000_000,
      consoleRateLimitPerMinute: 1_000_000,
      sendsPerMinute: 1_000_000,
      consoleTokenSeconds: 31_536_000,
      now,
    });
  const processes = [await openProcess(), await openProcess()] as const;

  return {
    storage: storage.name,
    async ask(request) {
      const webRequest = toRequest(request, "http://localhost", names.resolve);
      const response = await (request.process === 0 ? processes[0] : processes[1]).fetch(webRequest);
      const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
      return { status: response.status, headers, body: names.name(await response.text()) };
    },
    takeWritten() {
      const taken = written.filter((table) => !ofEveryRequest.has(table));
      written = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      for (const each of processes) await each.close();
      await close();
    },
  };
}
