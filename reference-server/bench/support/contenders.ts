import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import type { StorageLocation } from "../../src/storage-location.ts";
import { bareFilesystem, bareMemory, bareRedis, measureBareOutbox } from "./bare-outbox.ts";
import { measureCeiling } from "./ceiling.ts";
import { measureDelivery } from "./deliver.ts";
import type { DeliveryFigures } from "./deliver.ts";
import { measureBullMq } from "./deliver-by-bullmq.ts";
import { measureGraphileWorker } from "./deliver-by-graphile-worker.ts";
import { measureWorker } from "./deliver-by-worker.ts";
import type { WorkerLoad } from "./deliver-by-worker.ts";
import { measurePgBoss } from "./deliver-by-pg-boss.ts";
import { emptyStorage } from "./empty-storage.ts";
import type { Receiver } from "./open-receiver.ts";

/** Losses and duplicates are counted only for contenders that promise to have none. */
export type ContenderFigures = Pick<DeliveryFigures, "perSecond" | "cpuMicroseconds"> &
  Partial<Pick<DeliveryFigures, "lost" | "duplicates">> & {
    /** Memory of the process without mapped files. */
    readonly anonymousMegabytes?: number;
  };

export interface ContenderPlace {
  readonly receiver: Receiver;
  /** The Redis or PostgreSQL to use, if any. All data of the Redis, or the schema of the contender, is deleted. */
  readonly serverUrl: string;
}

interface Contender {
  /** The heap settings are those of the server with that storage. */
  readonly storage: StorageLocation["type"];
  measure(place: ContenderPlace, deliveries: number): Promise<ContenderFigures>;
}

/** The contenders. Each runs in a separate process, because V8's optimizations for one must not slow down another. */
export const contenders = {
  ceiling: {
    storage: "memory",
    measure: ({ receiver }, count) => measureCeiling(receiver.origin, count),
  },
  memory: { storage: "memory", measure: ({ receiver }, count) => inMemory(receiver, count, 1) },
  memoryFourWebhooks: { storage: "memory", measure: ({ receiver }, count) => inMemory(receiver, count, 4) },
  filesystem: { storage: "file", measure: ({ receiver }, count) => onDisk(receiver, count, 1) },
  filesystemFourWebhooks: { storage: "file", measure: ({ receiver }, count) => onDisk(receiver, count, 4) },
  counting: {
    storage: "file",
    measure: ({ receiver }, count) => worker(receiver, { count, countsSeries: true }),
  },
  notCounting: {
    storage: "file",
    measure: ({ receiver }, count) => worker(receiver, { count, countsSeries: false }),
  },
  redis: { storage: "redis", measure: onRedis },
  postgres: { storage: "postgres", measure: onPostgres },
  bareMemory: {
    storage: "memory",
    measure: ({ receiver }, count) => measureBareOutbox(bareMemory(), receiver, count),
  },
  bareFilesystem: {
    storage: "file",
    measure: ({ receiver }, count) =>
      inDirectory((directory) => measureBareOutbox(bareFilesystem(directory), receiver, count)),
  },
  bareRedis: {
    storage: "redis",
    measure: ({ receiver, serverUrl }, count) => measureBareOutbox(bareRedis(serverUrl), receiver, count),
  },
  bullMq: {
    storage: "redis",
    measure: ({ receiver, serverUrl }, count) => measureBullMq(serverUrl, receiver, { count, bulk: false }),
  },
  bullMqInBulk: {
    storage: "redis",
    measure: ({ receiver, serverUrl }, count) => measureBullMq(serverUrl, receiver, { count, bulk: true }),
  },
  graphileWorker: {
    storage: "postgres",
    measure: ({ receiver, serverUrl }, count) =>
      measureGraphileWorker(serverUrl, receiver, { count, bulk: false }),
  },
  graphileWorkerInBulk: {
    storage: "postgres",
    measure: ({ receiver, serverUrl }, count) =>
      measureGraphileWorker(serverUrl, receiver, { count, bulk: true }),
  },
  pgBoss: {
    storage: "postgres",
    measure: ({ receiver, serverUrl }, count) => measurePgBoss(serverUrl, receiver, { count, bulk: false }),
  },
  pgBossInBulk: {
    storage: "postgres",
    measure: ({ receiver, serverUrl }, count) => measurePgBoss(serverUrl, receiver, { count, bulk: true }),
  },
} satisfies Readonly<Record<string, Contender>>;

export type ContenderName = keyof typeof contenders;

export function isContenderName(name: string): name is ContenderName {
  return Object.hasOwn(contenders, name);
}

async function inMemory(receiver: Receiver, count: number, webhooks: number): Promise<DeliveryFigures> {
  await using store = memoryStore();
  return await measureDelivery(store, receiver, { count, webhooks });
}

function onDisk(receiver: Receiver, count: number, webhooks: number): Promise<DeliveryFigures> {
  return inDirectory(async (directory) => {
    await using store = await openFilesystemStore({ directory });
    return await measureDelivery(store, receiver, { count, webhooks });
  });
}

/** The worker alone, on the filesystem. */
function worker(receiver: Receiver, load: WorkerLoad): Promise<DeliveryFigures> {
  return inDirectory(async (directory) => {
    await using store = await openFilesystemStore({ directory });
    return await measureWorker(store, receiver, load);
  });
}

async function onRedis({ receiver, serverUrl }: ContenderPlace, count: number): Promise<DeliveryFigures> {
  await emptyStorage(serverUrl);
  await using store = await openRedisStore({ url: serverUrl, onWarning: () => {} });
  return await measureDelivery(store, receiver, { count });
}

async function onPostgres({ receiver, serverUrl }: ContenderPlace, count: number): Promise<DeliveryFigures> {
  await emptyStorage(serverUrl);
  await using store = await openPostgresStore({ url: serverUrl });
  return await measureDelivery(store, receiver, { count });
}

async function inDirectory<Measured>(measure: (directory: string) => Promise<Measured>): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}
