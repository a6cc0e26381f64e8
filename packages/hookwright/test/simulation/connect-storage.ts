import { StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import type { LateCommits } from "./late-commits.ts";
import type { Network } from "./network.ts";

export interface ConnectionOptions {
  /** The storage itself, which is always available. */
  readonly store: Store;
  readonly network: Network;
  readonly lateCommits: LateCommits;
  /** Resolves when the process resumes. Never resolves after its death. */
  readonly awake: () => Promise<void>;
}

/** How long a process waits for the outcome of a commit. */
const patienceMs = 3_000;

/**
 * The storage as one process sees it. Every call takes some time, and fails while the storage is unavailable. A failed
 * commit may have happened, may not have happened, or may happen later.
 */
export function connectStorage({ store, network, lateCommits, awake }: ConnectionOptions): Store {
  const thither = createLine(network);
  const hither = createLine(network);

  async function call<Result>(
    what: "read" | "commit",
    ask: () => Promise<Result>,
    onAway: () => Promise<void> = async () => {},
  ): Promise<Result> {
    await awake();
    await thither();
    if (network.isStorageAway(what)) {
      await onAway();
      await awake();
      throw unavailable();
    }
    const result = await ask();
    await hither();
    const isLost = network.isStorageAway(what);
    await awake();
    if (isLost) throw unavailable();
    return result;
  }

  /** Only reads by key count, because a scan does not lead to a conditional write. */
  function read<Result>(keys: readonly Key[], ask: () => Promise<Result>): Promise<Result> {
    return call("read", async () => {
      const result = await ask();
      await lateCommits.haveRead(keys);
      return result;
    });
  }

  return {
    get: (key) => read([key], () => store.get(key)),
    getMany: (keys) => read(keys, () => store.getMany(keys)),
    list: (options) => call("read", () => store.list(options)),
    commit(partition, commit) {
      const happen = () => store.commit(partition, commit);
      return call("commit", happen, async () => {
        if (network.random() < 0.3) return;
        lateCommits.add(commit, happen);
        const ms = network.between(1, patienceMs);
        // For a waiting process the storage is unavailable during this time, and later calls wait too.
        network.disruptions.push({ from: network.clock.now(), to: network.clock.now() + ms });
        await network.wait(ms);
      });
    },
    watch: (listener) =>
      store.watch((keys) => {
        // A notification may be lost.
        if (network.random() < 0.7)
          void network
            .travel()
            .then(awake)
            .then(() => listener(keys));
      }),
    close: async () => {},
    async [Symbol.asyncDispose]() {},
  };
}

/** A connection keeps the order of its calls. */
function createLine(network: Network): () => Promise<void> {
  let lastArrival = 0;
  return () => {
    const now = network.clock.now();
    lastArrival = Math.max(lastArrival, now + network.between(1, 12));
    return network.wait(lastArrival - now);
  };
}

function unavailable(): StorageError {
  return new StorageError("unavailable", "the storage is unavailable");
}
