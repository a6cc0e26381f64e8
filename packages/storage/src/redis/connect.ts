import type { Cluster, ClusterOptions, Redis, RedisOptions } from "ioredis";
import { StorageError } from "../storage-error.ts";
import { commandsOf } from "./commands-of.ts";
import type { CreateCommand } from "./commands-of.ts";
import { createDownReason, type DownReason } from "./down-reason.ts";
import { isCluster } from "./is-cluster.ts";
import { hearLateErrors } from "./late-errors.ts";
import { loadIoredis } from "./load-ioredis.ts";
import { isReplicaNow, redisUnreachable } from "./redis-fault.ts";
import { parseRedisUrl } from "./redis-url.ts";
import { invalidTls, readTls } from "./redis-tls.ts";
import type { RedisTls } from "./redis-tls.ts";

/**
 * A `Redis` or a `Cluster` of ioredis. The type names only what tells them from other clients: ioredis is an optional peer
 * dependency, so the declarations of this package must compile without it.
 */
export interface RedisClient {
  /** The state of the connection, such as `ready`. */
  readonly status: string;
  duplicate(...options: never[]): unknown;
  disconnect(reconnect?: boolean): void;
}

/** Where Redis is: an address, or a client whose settings are to be used. */
export type RedisSource =
  | { readonly url: string; readonly tls?: RedisTls | undefined }
  | { readonly client: RedisClient };

export interface Connection {
  readonly client: Redis | Cluster;
  readonly createCommand: CreateCommand;
  /** The address, without credentials. */
  readonly place: string;
  readonly downReason: DownReason;
  /** For publish and subscribe. */
  openSubscriber(): Redis | Cluster;
}

/**
 * Opens connections of our own, also where the caller has one: its client would send a commit again after a lost connection,
 * which may so be made twice, and would let commands wait without end.
 *
 * @param options.timeoutMs for the first connection, and for each silent node of a Cluster
 * @throws {StorageError} `unavailable`, `invalid_argument`, `missing_dependency`
 */
export async function connect(
  source: RedisSource,
  options: { readonly timeoutMs: number },
): Promise<Connection> {
  const { timeoutMs } = options;
  const { client, place } = await openClient(source, timeoutMs);
  const downReason = createDownReason(client);
  hearLateErrors(client);
  leaveWithoutDatabase(client);
  try {
    const createCommand = commandsOf(client);
    await whenReady({ client, place, downReason, timeoutMs });
    if (isCluster(client)) keepSlotsFresh(client);
    return { client, createCommand, place, downReason, openSubscriber: () => openSubscriber(client) };
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/**
 * Asks a Cluster now and then which node has which slots. ioredis would do so by itself; but its timer begins anew for ever where
 * the client is closed while it asks, and the process never ends. One that is closed while all nodes are away never says that it
 * has ended, so the timer ends with the first look that finds no connection, and begins with the next.
 */
function keepSlotsFresh(client: Cluster): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  function begin(): void {
    timer ??= setInterval(look, 5_000).unref();
  }
  function look(): void {
    if (client.status === "ready") return client.refreshSlotsCache();
    clearInterval(timer);
    timer = undefined;
  }
  client.on("ready", begin);
  begin();
}

async function openClient(
  source: RedisSource,
  timeoutMs: number,
): Promise<Pick<Connection, "client" | "place">> {
  const settings = commandSettings(timeoutMs);
  if ("client" in source && source.client !== undefined) {
    if ("tls" in source && source.tls !== undefined)
      throw invalidTls("goes with a url: a client has settings of its own, and those are used");
    const client = duplicate(source.client, settings, timeoutMs);
    return { client, place: isCluster(client) ? "the Cluster of the client" : placeOf(client) };
  }
  const ioredis = await loadIoredis();
  const address = parseRedisUrl("url" in source ? source.url : undefined);
  const tls = readTls(address, "tls" in source ? source.tls : undefined);
  if (address.type === "single") {
    const client = new ioredis.Redis(address.url, { ...settings, ...(tls === undefined ? {} : { tls }) });
    return { client, place: placeOf(client) };
  }
  const { nodes, username, password } = address;
  const nodeOptions = {
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(tls === undefined ? {} : { tls }),
  };
  const client = new ioredis.Cluster([...nodes], {
    ...clusterSettings(nodeOptions, timeoutMs),
    // A certificate is for the name; ioredis would look up the address first, and ask that for it.
    ...(tls === undefined ? {} : { dnsLookup: keepName }),
  });
  return { client, place: nodes.map(({ host, port }) => `${host}:${port}`).join(",") };
}

function keepName(host: string, answer: (error: null, host: string) => void): void {
  answer(null, host);
}

/**
 * Where there is no such database ioredis goes on with database 0, and says so in an event alone; also when it connects again, to
 * a server that was restarted with fewer. The event comes before it is ready, so that nothing is sent.
 */
function leaveWithoutDatabase(client: Redis | Cluster): void {
  client.on("error", (error: unknown) => {
    if (!isCluster(client) && hasNoDatabase(error)) client.disconnect(true);
  });
}

function hasNoDatabase(error: unknown): boolean {
  return error instanceof Error && /\bDB index is out of range\b/u.test(error.message);
}

function noDatabase(client: Redis | Cluster, place: string, cause: unknown): StorageError {
  const database = isCluster(client) ? 0 : (client.options.db ?? 0);
  return new StorageError(
    "invalid_argument",
    `Redis at ${place} has no database ${database}: name one that it has.`,
    {
      cause,
    },
  );
}

function commandSettings(timeoutMs: number) {
  return {
    // What was under way when a connection broke is refused, never sent again: a sum would be added twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableAutoPipelining: false,
    enableReadyCheck: true,
    // ioredis waits as long as the server thinks that loading will take, which is often too long.
    maxLoadingRetryTime: 250,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    // A socket that is given up is closed at once: the other side may never answer.
    disconnectTimeout: 100,
    keepAlive: 10_000,
    retryStrategy: waitBefore,
    // Sentinels that are all away come back as well.
    sentinelRetryStrategy: waitBefore,
    // One that is silent is passed over, while there is time to ask another.
    sentinelCommandTimeout: timeoutMs / 3,
    // After a failover this connection leads to what is a replica now.
    reconnectOnError: isReplicaNow,
  } as const satisfies RedisOptions & { readonly disconnectTimeout: number };
}

function waitBefore(attempt: number): number {
  return Math.min(attempt * 100, 1_000);
}

function clusterSettings(nodeOptions: RedisOptions, timeoutMs: number): ClusterOptions {
  return {
    // A replica may not have yet what was acknowledged a moment ago.
    scaleReads: "master",
    // Nodes are connected to when they are first needed, and what is sent to one meanwhile waits.
    enableOfflineQueue: true,
    lazyConnect: true,
    // As above: a command that was under way on a broken connection is not sent again.
    retryDelayOnFailover: 0,
    // See keepSlotsFresh.
    slotsRefreshInterval: 0,
    slotsRefreshTimeout: timeoutMs,
    clusterRetryStrategy: waitBefore,
    redisOptions: {
      ...nodeOptions,
      connectTimeout: timeoutMs,
      keepAlive: 10_000,
      socketTimeout: timeoutMs,
      // A node that still loads its data set refuses at once. With the check ioredis would keep what it is sent without end, and
      // send it when whoever asked was refused long ago.
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
      "client is not a client of ioredis: pass one (a Redis or a Cluster), or a url.",
    );
  }
  return isCluster(client)
    ? client.duplicate([], clusterSettings(client.options.redisOptions ?? {}, timeoutMs))
    : client.duplicate(settings);
}

function isIoredis(client: RedisClient): client is Redis | Cluster {
  return typeof client.duplicate === "function";
}

function placeOf({ options }: Redis): string {
  const { host = "localhost", port = 6379, sentinels, name = "" } = options;
  if (!sentinels?.length) return `${host}:${port}`;
  const addresses = sentinels.map((sentinel) => `${sentinel.host ?? "localhost"}:${sentinel.port ?? 26_379}`);
  return `the master ${name} of the Sentinels ${addresses.join(",")}`;
}

function openSubscriber(client: Redis | Cluster): Redis | Cluster {
  if (isCluster(client)) return client;
  const subscriber = client.duplicate({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    // The wake channel does, and hears of what is refused.
    autoResubscribe: false,
    lazyConnect: false,
  });
  // Without a listener ioredis writes each failed attempt to connect to standard error.
  subscriber.on("error", () => {});
  hearLateErrors(subscriber);
  return subscriber;
}

/** Tries until it is ready or the time is over; a password that is refused will not be right a moment later. */
function whenReady(options: {
  readonly client: Redis | Cluster;
  readonly place: string;
  readonly downReason: DownReason;
  readonly timeoutMs: number;
}): Promise<void> {
  const { client, place, downReason, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    const onReady = (): void => end(resolve);
    const onError = (error: unknown): void => {
      if (hasNoDatabase(error)) end(() => reject(noDatabase(client, place, error)));
      if (error instanceof Error && /\b(?:WRONGPASS|NOAUTH|NOPERM)\b/u.test(error.message)) giveUp();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    function end(act: () => void): void {
      clearTimeout(timer);
      client.off("ready", onReady);
      client.off("error", onError);
      act();
    }
    function giveUp(): void {
      end(() => reject(redisUnreachable(place, downReason.last)));
    }
    client.once("ready", onReady);
    client.on("error", onError);
    client.connect().catch((error: unknown) => {
      downReason.note(error);
      onError(error);
    });
  });
}
