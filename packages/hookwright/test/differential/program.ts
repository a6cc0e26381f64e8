import type { Store } from "@hookwright/storage";
import { createHookwright } from "../../src/create-hookwright.ts";
import type { StorageUnderTest } from "../end-to-end/support/storages.ts";
import { hostToken } from "./asked.ts";
import type { Asked } from "./asked.ts";
import { createNames } from "./names.ts";
import { toRequest } from "./to-request.ts";

/** What is the same whatever program answers. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Two processes over one storage. */
export interface Program extends AsyncDisposable {
  readonly storage: string;
  /** Asks the process that is meant. */
  ask(asked: Asked): Promise<Answer>;
  /** The tables that were written to since this was asked last, but for those that every request writes to. */
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
    async ask(asked) {
      const request = toRequest(asked, "http://localhost", names.resolve);
      const response = await (asked.process === 0 ? processes[0] : processes[1]).fetch(request);
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
