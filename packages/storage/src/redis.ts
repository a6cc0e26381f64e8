import { randomUUID } from "node:crypto";
import { closedError, refuseTakes } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import type { Store } from "./port.ts";
import { partitions } from "./port.ts";
import { checkRights, withAcl } from "./redis/check-rights.ts";
import { createCommitGroups } from "./redis/commit-groups.ts";
import { connect, type RedisSource } from "./redis/connect.ts";
import { createLink, type Link } from "./redis/link.ts";
import { createListReads } from "./redis/list-reads.ts";
import { channelOf, createNotificationChannel } from "./redis/notification-channel.ts";
import { checkPrefix, partitionKeysOf } from "./redis/partition-keys.ts";
import { readMemorySpace } from "./redis/memory-space.ts";
import { prepareDatabase, type RecordLayout } from "./redis/prepare-database.ts";
import { stoppedError } from "./redis/redis-errors.ts";
import { createRowReads } from "./redis/row-reads.ts";
import { runScript } from "./redis/run-script.ts";
import { readServerFacts } from "./redis/server-facts.ts";
import { commitScript } from "./redis/scripts/commit-script.ts";
import { sweepScript } from "./redis/scripts/sweep-script.ts";
import { createWriterPool } from "./redis/writer-pool.ts";

export type { RedisClient } from "./redis/connect.ts";
export type { RedisTls } from "./redis/redis-tls.ts";
export { parseRedisUrl, type RedisAddress } from "./redis/redis-url.ts";

/** The time limit of a command and of a connection attempt. */
const timeoutMs = 3_000;
const maxBytesInFlight = 96 * 1024;

/**
 * Opens a store in Redis 7 (or Valkey): a single server, a server behind Sentinels, or a Cluster. Any number
 * of processes on any number of machines may share it.
 *
 * A commit is one call of a script, so it is atomic. It resolves when Redis replies and is as durable as
 * Redis is configured: only `appendfsync always` loses nothing if the machine stops. A partition lies in one
 * slot of a Cluster.
 *
 * @param options.url `redis://[[user]:password@]host[:port][/database]`,
 *   `redis-cluster://host:port,host:port`; with TLS `rediss://…`, `rediss-cluster://…`
 * @param options.tls certificates in PEM, if the server requires client certificates or uses a private
 *   authority
 * @param options.client instead of `url`: a `Redis` or `Cluster` of ioredis, or the result of `getInstance()`
 *   of unstorage's redis driver. The store opens its own connections with its settings. The caller closes the
 *   client
 * @param options.prefix begins the name of every Redis key and channel. @default "hookwright"
 * @param options.onWarning called once during opening if Redis has no append-only file and so loses data when
 *   it stops. @default a process warning with the code `HOOKWRIGHT_REDIS_NOT_DURABLE`
 * @param options.now the clock of the store, ms since the epoch. It decides which entries have expired.
 *   @default the clock of the Redis server
 * @param options.sweepIntervalMs how often the store removes expired entries. They are absent at once.
 *   @default 10000
 * @throws {StorageError} `missing_dependency` without the package `ioredis`; `invalid_argument`,
 *   `unavailable`
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
  const { prefix = "hookwright", onWarning = emitWarning, sweepIntervalMs = 10_000 } = options;
  const now = (): string => (options.now === undefined ? "" : String(options.now()));
  checkPrefix(prefix);
  const { client, createCommand, serverAddress, downReason, openSubscriber } = await connect(options, {
    timeoutMs,
  });
  const link = createLink({ client, createCommand, serverAddress, downReason, timeoutMs });
  const keysOf = partitionKeysOf(prefix);
  const channel = channelOf(prefix);
  const recordLayout = await prepare().catch((error: unknown) => {
    link.close();
    throw withAcl(error, { client, prefix });
  });
  const sender = randomUUID();
  const notifications = createNotificationChannel({ openSubscriber, name: channel, sender });
  const writers = createWriterPool();
  const reads = createRowReads({ link, writers, keysOf, now });
  const lists = createListReads({ link, serverAddress, isCluster: client.isCluster, keysOf, now });
  const groups = createCommitGroups({
    writers,
    // Each node of a Cluster has its own connection, so an unresponsive node must not delay the others.
    maxBytesInFlight: client.isCluster ? Number.POSITIVE_INFINITY : maxBytesInFlight,
    async apply(partition, commits, hasEmptyText) {
      const recording = recordLayout(hasEmptyText);
      // Awaiting nothing would miss the flush that has begun.
      if (recording !== undefined) await recording;
      const { rows, index, expiries } = keysOf(partition);
      const values = [now(), channel, sender];
      const send: Link["send"] = (command, texts) => link.send(command, texts, commits);
      return runScript(send, commitScript, [rows, index, expiries], values);
    },
    beforeFlush: link.beforeFlush,
    onNotify: notifications.notifyHere,
    toStoppedError: (reason) => stoppedError(serverAddress, reason),
  });
  const sweeper = createSweepTimer({ intervalMs: sweepIntervalMs, sweep });
  sweeper.start();
  let closing: Promise<void> | undefined;

  async function prepare(): Promise<RecordLayout> {
    const prepared = await prepareDatabase(link, {
      prefix,
      serverAddress,
      needsTime: options.now === undefined,
      onWarning,
    });
    await checkRights(link, { client, serverAddress, prefix, channel, keysOf, openSubscriber, timeoutMs });
    return prepared;
  }

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  /** Also removes entries of other processes. Concurrent sweeps are harmless. */
  async function sweep(): Promise<"more" | "later"> {
    const checked = await Promise.all(
      partitions.map((partition) => {
        const { rows, index, expiries } = keysOf(partition);
        return runScript(link.send, sweepScript, [rows, index, expiries], [now(), String(sweepWindow)]);
      }),
    ).catch(() => []);
    // The client may be configured to return numbers as strings.
    return checked.some((count) => Number(count) === sweepWindow) ? "more" : "later";
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      sweeper.stop();
      await groups.settled();
      await link.settled();
      notifications.close();
      link.close();
    })();
    return closing;
  }

  return {
    name: "redis",
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
    async count(countOptions) {
      assertOpen();
      return lists.count(countOptions);
    },
    async commit(partition, commit) {
      assertOpen();
      refuseTakes(commit);
      return groups.commit(partition, commit);
    },
    watch(listener) {
      assertOpen();
      return notifications.watch(listener);
    },
    // A Cluster has one limit for each node, and asks any of them.
    readSpace: client.isCluster ? undefined : () => readMemorySpace(link),
    readFacts: () => readServerFacts(link),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function emitWarning(warning: string): void {
  process.emitWarning(warning, { code: "HOOKWRIGHT_REDIS_NOT_DURABLE" });
}
