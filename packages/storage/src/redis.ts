import { randomUUID } from "node:crypto";
import { checkPartition, closedError } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import type { Store } from "./port.ts";
import { partitions } from "./port.ts";
import { createCommitGroups } from "./redis/commit-groups.ts";
import { connect, type RedisSource } from "./redis/connect.ts";
import { markField } from "./redis/empty-marks.ts";
import { createLink } from "./redis/link.ts";
import { createListReads } from "./redis/list-reads.ts";
import { checkPrefix, partitionKeysOf } from "./redis/partition-keys.ts";
import { prepareDatabase } from "./redis/prepare-database.ts";
import { createRowReads } from "./redis/row-reads.ts";
import { runScript } from "./redis/run-script.ts";
import { commitScript } from "./redis/scripts/commit-script.ts";
import { sweepScript } from "./redis/scripts/sweep-script.ts";
import { createWakeChannel } from "./redis/wake-channel.ts";
import { createWriterPool } from "./redis/writer-pool.ts";

export type { RedisClient } from "./redis/connect.ts";
export type { RedisTls } from "./redis/redis-tls.ts";
export { parseRedisUrl, type RedisAddress } from "./redis/redis-url.ts";

/** How long a command may take, and how long an absent server is waited for. */
const timeoutMs = 3_000;
const mostBytesUnderWay = 96 * 1024;

/**
 * Opens a store in Redis 7 (or Valkey): a single server, one behind Sentinels, or a Cluster. Any number of processes on any
 * number of machines may share it.
 *
 * A commit is one call of a script, so it happens whole or not at all, and resolves when Redis has answered: it is as durable as
 * Redis is told to be (`appendfsync always` for no loss when the machine stops). A partition lies in one slot of a Cluster.
 *
 * @param options.url `redis://[[user]:password@]host[:port][/database]`, `redis-cluster://host:port,host:port`; with TLS `rediss://…`,
 *   `rediss-cluster://…`
 * @param options.tls certificates in PEM, where the server asks its clients for one, or shows one of an authority of your own
 * @param options.client instead: a `Redis` or `Cluster` of ioredis, or what unstorage's redis driver answers to
 *   `getInstance()`. Its settings are used for connections of our own; it stays yours to close
 * @param options.prefix begins the name of every Redis key and channel. @default "hookwright"
 * @param options.onWarning told once, while it opens, where this Redis keeps no append-only file and so forgets when it stops.
 *   @default a warning of the process, with the code `HOOKWRIGHT_REDIS_NOT_DURABLE`
 * @param options.now the clock expiry is judged by, ms since the epoch. @default Date.now
 * @param options.sweepIntervalMs how often expired entries are removed; they are invisible at once. @default 10000
 * @throws {StorageError} `missing_dependency` without the package `ioredis`; `invalid_argument`, `unavailable`
 * @example
 * const store = await openRedisStore({ url: "redis://127.0.0.1:6379" });
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export async function openRedisStore(
  options: RedisSource & {
    readonly prefix?: string | undefined;
    readonly onWarning?: ((warning: string) => void) | undefined;
    readonly now?: (() => number) | undefined;
    readonly sweepIntervalMs?: number | undefined;
  },
): Promise<Store> {
  const {
    prefix = "hookwright",
    onWarning = warnOfProcess,
    now = Date.now,
    sweepIntervalMs = 10_000,
  } = options;
  checkPrefix(prefix);
  const { client, createCommand, place, downReason, openSubscriber } = await connect(options, { timeoutMs });
  const link = createLink({ client, createCommand, place, downReason, timeoutMs });
  const database = await prepareDatabase(link, { prefix, place, onWarning }).catch((error: unknown) => {
    link.close();
    throw error;
  });
  const keysOf = partitionKeysOf(prefix);
  const wakeChannel = createWakeChannel({ openSubscriber, prefix, id: randomUUID() });
  const writers = createWriterPool();
  const reads = createRowReads({ link, writers, keysOf, now });
  const lists = createListReads({ link, place, isCluster: client.isCluster, keysOf, now });
  const groups = createCommitGroups({
    writers,
    // Nodes of a Cluster have connections of their own: one that is silent must not hold up the others.
    mostBytesUnderWay: client.isCluster ? Number.POSITIVE_INFINITY : mostBytesUnderWay,
    apply(partition, { encoded, marks, beneath }) {
      if (marks.size > 0) database.turnToNewLayout();
      const { rows, index, expiries } = keysOf(partition);
      const marked = [...marks].flatMap((mark) => [markField(mark), ""]);
      return runScript(
        (command, values) => link.send(command, values, encoded),
        commitScript,
        [rows, index, expiries],
        [
          String(now()),
          wakeChannel.channelOf(partition),
          wakeChannel.messageOf(beneath),
          String(marked.length),
          ...marked,
        ],
      );
    },
    beforeFlush: link.beforeFlush,
    onWake: wakeChannel.wakeHere,
  });
  const sweeper = createSweepTimer({ intervalMs: sweepIntervalMs, sweep });
  sweeper.start();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  /** Also finds what another process left behind; two that sweep at once do no harm. */
  async function sweep(): Promise<"more" | "later"> {
    const looked = await Promise.all(
      partitions.map((partition) => {
        const { rows, index, expiries } = keysOf(partition);
        return runScript(
          link.send,
          sweepScript,
          [rows, index, expiries],
          [String(now()), String(sweepWindow)],
        );
      }),
    ).catch(() => []);
    // A client may have been told to answer numbers as texts.
    return looked.some((count) => Number(count) === sweepWindow) ? "more" : "later";
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      sweeper.stop();
      await groups.settled();
      await link.settled();
      wakeChannel.close();
      link.close();
    })();
    return closing;
  }

  return {
    async get(key) {
      assertOpen();
      return reads.get(key);
    },
    async getMany(keys) {
      assertOpen();
      return reads.getMany(keys);
    },
    async list(listOptions) {
      assertOpen();
      return lists.list(listOptions);
    },
    async commit(partition, commit) {
      assertOpen();
      return groups.commit(partition, commit);
    },
    watch(partition, listener) {
      assertOpen();
      checkPartition(partition);
      return wakeChannel.watch(partition, listener);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function warnOfProcess(warning: string): void {
  process.emitWarning(warning, { code: "HOOKWRIGHT_REDIS_NOT_DURABLE" });
}
