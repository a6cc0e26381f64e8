import type * as Ioredis from "ioredis";
import type { Cluster, ClusterOptions, Redis, RedisOptions } from "ioredis";
import { missingPackage } from "../missing-package.ts";
import { StorageError } from "../storage-error.ts";
import { commandsOf } from "./commands-of.ts";
import type { CreateCommand } from "./commands-of.ts";
import { createDownReason, type DownReason } from "./down-reason.ts";
import { isCluster } from "./is-cluster.ts";
import { ignoreLateErrors } from "./ignore-late-errors.ts";
import { isReplicaError, unreachableError } from "./redis-errors.ts";
import { parseRedisUrl } from "./redis-url.ts";
import { openSubscriber, type Subscriber, type SubscriberEvents } from "./subscriber.ts";
import { invalidTls, readTls } from "./redis-tls.ts";
import type { RedisTls } from "./redis-tls.ts";

/**
 * A `Redis` or a `Cluster` of ioredis. Declared here, because the declarations of this package must compile
 * without ioredis, an optional peer dependency.
 */
export interface RedisClient {
  /** The state of the connection, for example `ready`. */
  readonly status: string;
  duplicate(...options: never[]): unknown;
  disconnect(reconnect?: boolean): void;
}

/** The address of Redis, or a client whose settings are used. */
export type RedisSource =
  | { readonly url: string; readonly tls?: RedisTls | undefined }
  | { readonly client: RedisClient };

export interface Connection {
  readonly client: Redis | Cluster;
  readonly createCommand: CreateCommand;
  /** The address, without credentials. */
  readonly serverAddress: string;
  readonly downReason: DownReason;
  openSubscriber(events: SubscriberEvents): Subscriber;
}

/**
 * Opens the store's own connections, even if the caller passes a client. A usual client repeats a commit
 * after a lost connection, which could apply it twice, and lets commands wait forever.
 *
 * @param options.timeoutMs for the first connection, and for each unresponsive node of a Cluster
 * @throws {StorageError} `unavailable`, `invalid_argument`, `missing_dependency`
 */
export async function connect(
  source: RedisSource,
  options: { readonly timeoutMs: number },
): Promise<Connection> {
  const { timeoutMs } = options;
  const { client, serverAddress } = await openClient(source, timeoutMs);
  const downReason = createDownReason(client);
  ignoreLateErrors(client);
  disconnectIfNoDatabase(client);
  try {
    const createCommand = commandsOf(client);
    await whenReady({ client, serverAddress, downReason, timeoutMs });
    if (isCluster(client)) refreshSlots(client);
    return {
      client,
      createCommand,
      serverAddress,
      downReason,
      openSubscriber: (events) => openSubscriber(client, events),
    };
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/**
 * Refreshes the slots of a Cluster. The timer of ioredis is not used: it can restart forever if the client is
 * closed during a refresh, and the process never ends.
 * A closed client may not emit `end`. So the timer stops when it finds no connection, and `ready` restarts
 * it.
 */
function refreshSlots(client: Cluster): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  function start(): void {
    timer ??= setInterval(refresh, 5_000).unref();
  }
  function refresh(): void {
    if (client.status === "ready") return client.refreshSlotsCache();
    clearInterval(timer);
    timer = undefined;
  }
  client.on("ready", start);
  start();
}

async function openClient(
  source: RedisSource,
  timeoutMs: number,
): Promise<Pick<Connection, "client" | "serverAddress">> {
  const settings = commandSettings(timeoutMs);
  if ("client" in source && source.client !== undefined) {
    if ("tls" in source && source.tls !== undefined)
      throw invalidTls("requires a url. A client uses its own TLS settings");
    const client = duplicate(source.client, settings, timeoutMs);
    return {
      client,
      serverAddress: isCluster(client) ? "the Cluster of the client" : toServerAddress(client),
    };
  }
  const ioredis = await loadIoredis();
  const address = parseRedisUrl("url" in source ? source.url : undefined);
  const tls = readTls(address, "tls" in source ? source.tls : undefined);
  if (address.type === "single") {
    const client = new ioredis.Redis(address.url, { ...settings, ...(tls === undefined ? {} : { tls }) });
    return { client, serverAddress: toServerAddress(client) };
  }
  const { nodes, username, password } = address;
  const nodeOptions = {
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  };
  const client = new ioredis.Cluster([...nodes], {
    ...clusterSettings(nodeOptions, timeoutMs),
    // Connects by name, because the certificate is for the name. By default ioredis resolves it first.
    ...(tls === undefined ? {} : { dnsLookup: keepName }),
  });
  return { client, serverAddress: nodes.map(({ host, port }) => `${host}:${port}`).join(",") };
}

function keepName(host: string, answer: (error: null, host: string) => void): void {
  answer(null, host);
}

/**
 * Disconnects if the database does not exist. ioredis would use database 0 and only emit an error, also after
 * a reconnection. The event precedes `ready`, so nothing is sent to database 0.
 */
function disconnectIfNoDatabase(client: Redis | Cluster): void {
  client.on("error", (error: unknown) => {
    if (!isCluster(client) && hasNoDatabase(error)) client.disconnect(true);
  });
}

function hasNoDatabase(error: unknown): boolean {
  return error instanceof Error && /\bDB index is out of range\b/u.test(error.message);
}

function noDatabase(client: Redis | Cluster, serverAddress: string, cause: unknown): StorageError {
  const database = isCluster(client) ? 0 : (client.options.db ?? 0);
  return new StorageError(
    "invalid_argument",
    `Redis at ${serverAddress} has no database ${database}. Use one that exists.`,
    {
      cause,
    },
  );
}

function commandSettings(timeoutMs: number) {
  return {
    // Commands without a reply are never sent again, because a sum could be added twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: false,
    enableReadyCheck: true,
    // By default, ioredis waits as long as the server estimates for loading, which is often too long.
    maxLoadingRetryTime: 250,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    // An abandoned socket is closed at once, because the other side may never reply.
    disconnectTimeout: 100,
    keepAlive: 10_000,
    retryStrategy: retryDelayMs,
    // Also retry if no Sentinel is reachable.
    sentinelRetryStrategy: retryDelayMs,
    // Skip an unresponsive Sentinel while there is time to ask another one.
    sentinelCommandTimeout: timeoutMs / 3,
    reconnectOnError: createReplicaCheck(),
  } as const satisfies RedisOptions & { readonly disconnectTimeout: number };
}

const replicaRetryMs = 1_000;

/**
 * After a failover the connection may lead to a replica. A server that stays one answers reads, and each new connection
 * interrupts them.
 */
function createReplicaCheck(): (error: Error) => boolean {
  let reconnectedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (!isReplicaError(error) || now - reconnectedAt < replicaRetryMs) return false;
    reconnectedAt = now;
    return true;
  };
}

function retryDelayMs(attempt: number): number {
  return Math.min(attempt * 100, 1_000);
}

function clusterSettings(nodeOptions: RedisOptions, timeoutMs: number): ClusterOptions {
  return {
    // A replica may lack the last acknowledged commits.
    scaleReads: "master",
    // ioredis connects to a node on first use. Commands wait meanwhile.
    enableOfflineQueue: true,
    lazyConnect: true,
    // As above: commands without a reply are not sent again.
    retryDelayOnFailover: 0,
    // See refreshSlots.
    slotsRefreshInterval: 0,
    slotsRefreshTimeout: timeoutMs,
    clusterRetryStrategy: retryDelayMs,
    redisOptions: {
      ...nodeOptions,
      connectTimeout: timeoutMs,
      keepAlive: 10_000,
      socketTimeout: timeoutMs,
      // A loading node rejects commands at once. With the ready check, ioredis would queue commands and send
      // them after their time-out.
      enableReadyCheck: false,
    },
  };
}

function duplicate(
  client: RedisClient,
  settings: ReturnType<typeof commandSettings>,
  timeoutMs: number,
): Redis | Cluster {
  if (!isIoredis(client)) {
    throw new StorageError(
      "invalid_argument",
      "client must be a Redis or a Cluster of ioredis. Pass one of these, or a url.",
    );
  }
  return isCluster(client)
    ? client.duplicate([], clusterSettings(client.options.redisOptions ?? {}, timeoutMs))
    : client.duplicate(settings);
}

function isIoredis(client: RedisClient): client is Redis | Cluster {
  return typeof client.duplicate === "function";
}

function toServerAddress({ options }: Redis): string {
  const { host = "localhost", port = 6379, sentinels, name = "" } = options;
  if (!sentinels?.length) return `${host}:${port}`;
  const addresses = sentinels.map((sentinel) => `${sentinel.host ?? "localhost"}:${sentinel.port ?? 26_379}`);
  return `the master ${name} of the Sentinels ${addresses.join(",")}`;
}

/**
 * Resolves when the client is ready. Rejects after the time-out, or at once if Redis rejects the password.
 */
function whenReady(options: {
  readonly client: Redis | Cluster;
  readonly serverAddress: string;
  readonly downReason: DownReason;
  readonly timeoutMs: number;
}): Promise<void> {
  const { client, serverAddress, downReason, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const onReady = (): void => end(resolve);
    const onError = (error: unknown): void => {
      if (hasNoDatabase(error)) end(() => reject(noDatabase(client, serverAddress, error)));
      if (error instanceof Error && /\b(?:WRONGPASS|NOAUTH|NOPERM)\b/u.test(error.message)) fail();
    };
    const timer = setTimeout(fail, timeoutMs);
    function end(act: () => void): void {
      clearTimeout(timer);
      client.off("ready", onReady);
      client.off("error", onError);
      act();
    }
    function fail(): void {
      end(() => reject(unreachableError(serverAddress, downReason.last)));
    }
    client.once("ready", onReady);
    client.on("error", onError);
    client.connect().catch((error: unknown) => {
      downReason.note(error);
      onError(error);
    });
  });
}

/** @throws {StorageError} `missing_dependency` */
async function loadIoredis(): Promise<typeof Ioredis> {
  try {
    return await import("ioredis");
  } catch (cause) {
    throw missingPackage({ user: "The Redis store", name: "ioredis", major: 5, cause });
  }
}
