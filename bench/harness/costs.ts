import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";
import { toCostRows } from "./cost-rows.ts";
import type { Costs } from "./cost-rows.ts";
import { deliverFrom } from "./deliver-from.ts";
import { fillEndpoints, fillWaiting, publishOrders } from "./fill.ts";
import { quietLogger } from "./quiet-logger.ts";
import type { Receiver } from "./receiver.ts";
import { openBenchStore, openStorage } from "./storages.ts";
import type { Storage } from "./storages.ts";
import { say } from "./table.ts";

const storageNames = ["file", "redis", "postgres"] as const;
type StorageName = (typeof storageNames)[number];

interface CostOptions {
  readonly deliveries: number;
  readonly waiting: number;
}

/** One by one, a delivery takes some milliseconds. */
const maximumSingle = 4_000;
/** Each with one webhook. Their rows are at many places of a database, so its pages are less full. */
const manyAccounts = 200;

/** Prints what a record and a delivery cost on each storage, as rows of the page on capacity. */
export async function printCosts(options: CostOptions, receiver: Receiver): Promise<void> {
  const costs: Costs[] = [];
  for (const name of storageNames) costs.push(await measureCosts(name, options, receiver));
  console.log(
    "\nA record and a delivery of 1 KiB. CPU of the process; bytes on the disk (Redis: in memory)\n",
  );
  console.log(`| Constant | ${storageNames.join(" | ")} |\n|---|---|---|---|`);
  for (const row of toCostRows(costs)) console.log(row);
}

async function measureCosts(name: StorageName, options: CostOptions, receiver: Receiver): Promise<Costs> {
  const many = await measureKind(name, { receiver, deliveries: options.deliveries, isSingle: false });
  const deliveries = Math.min(options.deliveries, maximumSingle);
  const single = await measureKind(name, { receiver, deliveries, isSingle: true });
  return {
    "CPU per delivery, one account, many at once": many.cpuMs,
    "CPU per delivery, many accounts, one by one": single.cpuMs,
    "bytes per record, one account, many at once": many.recordBytes,
    "bytes per record, many accounts, one by one": single.recordBytes,
    "bytes per ended delivery, one account, many at once": many.deliveryBytes,
    "bytes per ended delivery, many accounts, one by one": single.deliveryBytes,
    "bytes per waiting delivery": await measureWaiting(name, options, many.recordBytes),
  };
}

interface Kind {
  readonly receiver: Receiver;
  readonly deliveries: number;
  readonly isSingle: boolean;
}

/** A storage for each kind, because a page of a database that was full stays full. */
async function measureKind(name: StorageName, { receiver, deliveries, isSingle }: Kind) {
  say(`${name}, ${isSingle ? "one by one" : "many at once"} …`);
  const accounts = isSingle ? manyAccounts : 1;
  const atOnce = isSingle ? 1 : 256;
  const recordBytes = await measureRecords(name, { count: 2 * deliveries, atOnce, accounts });
  await using storage = await openStorage(name);
  {
    await using store = await openBenchStore(storage.location);
    await fillEndpoints(store, { count: accounts, ofAccount: 1, origin: receiver.origins.accepting });
  }
  const before = await storage.bytes();
  const load = { endpoints: accounts, deliveries, isSingle };
  const { cpuMicroseconds, total } = await deliverFrom(storage.location, load);
  const deliveryBytes = ((await storage.bytes()) - before) / total - recordBytes;
  return { cpuMs: cpuMicroseconds / 1_000, recordBytes, deliveryBytes };
}

interface Records {
  readonly count: number;
  readonly atOnce: number;
  readonly accounts: number;
}

/** Events that no webhook gets. */
async function measureRecords(name: StorageName, records: Records): Promise<number> {
  await using storage = await openStorage(name);
  await using store = await openBenchStore(storage.location);
  const { accounts, count } = records;
  const origin = "http://127.0.0.1:1";
  await fillEndpoints(store, { count: accounts, ofAccount: 1, origin, event: "review.submitted" });
  return await bytesOf(storage, count, () => publishRecords(store, records));
}

async function publishRecords(store: Store, { count, atOnce, accounts }: Records): Promise<void> {
  await using hookwright = await createHookwright({
    store,
    secret: benchSecret,
    role: "api",
    logger: quietLogger,
  });
  await publishOrders(hookwright, { count, atOnce, projects: accounts });
}

/** Fifty deliveries for each event, without the record of the event. */
async function measureWaiting(
  name: StorageName,
  { waiting }: CostOptions,
  recordBytes: number,
): Promise<number> {
  await using storage = await openStorage(name);
  await using store = await openBenchStore(storage.location);
  return (await bytesOf(storage, waiting, () => fillWaiting(store, waiting))) - recordBytes / 50;
}

async function bytesOf(storage: Storage, count: number, fill: () => Promise<void>): Promise<number> {
  const before = await storage.bytes();
  await fill();
  return ((await storage.bytes()) - before) / count;
}
