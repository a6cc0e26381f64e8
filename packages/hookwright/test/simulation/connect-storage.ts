import { StorageError } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import type { LateCommits } from "./late-commits.ts";
import type { Network } from "./network.ts";

export interface ConnectionOptions {
  /** The storage itself, which is never away. */
  readonly store: Store;
  readonly network: Network;
  readonly lateCommits: LateCommits;
  /** Resolves when the process goes on: never once it is dead. */
  readonly awake: () => Promise<void>;
}

/** So long a process waits for what a commit has come to. */
const patienceMs = 3_000;

/**
 * The storage as a process sees it: every call takes a while, and fails while the storage is away. A commit that fails has happened,
 * or has not, or will happen later.
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

  /** Keys that are asked for by name: what is looked through is not built on. */
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
        // For whoever waits for it the storage is away for so long, and what comes behind it has to wait as well.
        network.disruptions.push({ from: network.clock.now(), to: network.clock.now() + ms });
        await network.wait(ms);
      });
    },
    watch: (partition, listener) =>
      store.watch(partition, (beneath) => {
        // A wake-up may be lost.
        if (network.random() < 0.7)
          void network
            .travel()
            .then(awake)
            .then(() => listener(beneath));
      }),
    close: async () => {},
    async [Symbol.asyncDispose]() {},
  };
}

/** A connection: what is sent first arrives first. */
function createLine(network: Network): () => Promise<void> {
  let lastArrival = 0;
  return () => {
    const now = network.clock.now();
    lastArrival = Math.max(lastArrival, now + network.between(1, 12));
    return network.wait(lastArrival - now);
  };
}

function unavailable(): StorageError {
  return new StorageError("unavailable", "the storage is away");
}
