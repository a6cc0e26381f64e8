// Opens a store and executes calls: one message for each call and each result.
import process from "node:process";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { openFilesystemStore } from "../../src/filesystem.ts";
import type { Store } from "../../src/port.ts";
import { StorageError } from "../../src/storage-error.ts";
import { openUnstorageStore } from "../../src/unstorage.ts";
import type { ChildAnswer, ChildCall } from "./store-process.ts";

const [kind = "", directory = "", heartbeatMs = ""] = process.argv.slice(2);

function open(): Promise<Store> {
  if (kind === "filesystem") return openFilesystemStore({ directory });
  return openUnstorageStore({
    storage: createStorage({ driver: fsDriver({ base: directory }) }),
    heartbeatMs: Number(heartbeatMs),
    snapshotSize: 2_000,
  });
}

function send(answer: ChildAnswer): void {
  process.send?.(answer);
}

async function execute(store: Store, { method, input }: ChildCall): Promise<unknown> {
  if (method === "get") return store.get(input);
  if (method === "list") return store.list(input);
  if (method === "commit") return store.commit(input.partition, input.commit);
  if (method === "increment") {
    const { key, times } = input;
    for (let done = 0; done < times;) {
      const value = await store.get(key);
      const { ok } = await store.commit(key[0], {
        checks: [{ key, value }],
        mutations: [{ type: "set", key, value: String(Number(value ?? 0) + 1) }],
      });
      if (ok) done++;
    }
    return times;
  }
  return store.close();
}

try {
  const store = await open();
  process.on("message", (call: ChildCall) => {
    execute(store, call).then(
      (value) => send({ number: call.number, value }),
      (error: unknown) => send({ number: call.number, error: toErrorMessage(error) }),
    );
  });
  process.on("disconnect", () => process.exit());
  send({ number: 0, value: "open" });
} catch (error) {
  send({ number: 0, error: toErrorMessage(error) });
}

function toErrorMessage(error: unknown): { code: string; message: string } {
  return error instanceof StorageError
    ? { code: error.code, message: error.message }
    : { code: "fault", message: String(error) };
}
