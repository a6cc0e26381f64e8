import { createHookwright } from "hookwright";
import type { Store } from "@hookwright/storage";
import { benchSecret } from "./deliver.ts";
import { toCostRows } from "./cost-rows.ts";
import type { Costs } from "./cost-rows.ts";
import { deliverFrom } from "./deliver-from.ts";
import { fillEndpoints } from "./fill-endpoints.ts";
import { fillWaiting } from "./fill-waiting.ts";
import { openBenchStore } from "./open-bench-store.ts";
import type { Receiver } from "./open-receiver.ts";
import { openScaleStorage, scaleStorageNames } from "./open-scale-storage.ts";
import type { ScaleStorage, ScaleStorageName } from "./open-scale-storage.ts";
import { sampleOrder } from "./sample-order.ts";
import type { ScaleOptions } from "./scale-options.ts";

/** One by one, a delivery takes some milliseconds. */
const maximumSingle = 4_000;

/** Prints what a record and a delivery cost on each storage, as rows of the page on capacity. */
export async function printCosts(options: ScaleOptions, receiver: Receiver): Promise<void> {
  const costs: Costs[] = [];
  for (const name of scaleStorageNames) costs.push(await measureCosts(name, options, receiver));
  console.log(
    "\nA record and a delivery of 1 KiB. CPU of the process; bytes on the disk (Redis: in memory)\n",
  );
  console.log(`| Constant | ${scaleStorageNames.join(" | ")} |\n|---|---|---|---|`);
  for (const row of toCostRows(costs)) console.log(row);
}

async function measureCosts(
  name: ScaleStorageName,
  options: ScaleOptions,
  receiver: Receiver,
): Promise<Costs> {
  const many = await measureKind(name, { receiver, deliveries: options.deliveries, isSingle: false });
  const deliveries = Math.min(options.deliveries, maximumSingle);
  const single = await measureKind(name, { receiver, deliveries, isSingle: true });
  return {
    "CPU per delivery, many at once": many.cpuMs,
    "CPU per delivery, one by one": single.cpuMs,
    "bytes per record, many at once": many.recordBytes,
    "bytes per record, one by one": single.recordBytes,
    "bytes per ended delivery, many at once": many.deliveryBytes,
    "bytes per ended delivery, one by one": single.deliveryBytes,
    "bytes per waiting delivery": await measureWaiting(name, options, many.recordBytes),
  };
}

interface Kind {
  readonly receiver: Receiver;
  readonly deliveries: number;
  readonly isSingle: boolean;
}

/** A storage for each kind: a page of the database that is full stays full. */
async function measureKind(name: ScaleStorageName, { receiver, deliveries, isSingle }: Kind) {
  process.stderr.write(`${name}, ${isSingle ? "one by one" : "many at once"} …\n`);
  const recordBytes = await measureRecords(name, { count: 2 * deliveries, atOnce: isSingle ? 1 : 256 });
  await using storage = await openScaleStorage(name);
  {
    await using store = await openBenchStore(storage.location);
    await fillEndpoints(store, { count: 1, ofAccount: 1, origin: receiver.origin });
  }
  const before = await storage.bytes();
  const load = { endpoints: 1, deliveries, isSingle };
  const { cpuMicroseconds, total } = await deliverFrom(storage.location, load);
  const deliveryBytes = ((await storage.bytes()) - before) / total - recordBytes;
  return { cpuMs: cpuMicroseconds / 1_000, recordBytes, deliveryBytes };
}

/** Events that no webhook gets. */
async function measureRecords(
  name: ScaleStorageName,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<number> {
  await using storage = await openScaleStorage(name);
  await using store = await openBenchStore(storage.location);
  return bytesOf(storage, count, () => publishRecords(store, { count, atOnce }));
}

async function publishRecords(
  store: Store,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<void> {
  await using hookwright = await createHookwright({ store, secret: benchSecret, role: "api" });
  await hookwright.accounts.put("acc_quiet", { email: "quiet@example.com" });
  await hookwright.projects.put("site_quiet", { account_id: "acc_quiet", name: "Quiet" });
  for (let first = 0; first < count; first += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - first) }, (_, index) =>
        hookwright.publish({
          event: "order.created",
          project_id: "site_quiet",
          data: sampleOrder(first + index),
        }),
      ),
    );
}

/** Fifty deliveries for each event, without the record of the event. */
async function measureWaiting(
  name: ScaleStorageName,
  { waiting }: ScaleOptions,
  recordBytes: number,
): Promise<number> {
  await using storage = await openScaleStorage(name);
  await using store = await openBenchStore(storage.location);
  return (await bytesOf(storage, waiting, () => fillWaiting(store, waiting))) - recordBytes / 50;
}

async function bytesOf(storage: ScaleStorage, count: number, fill: () => Promise<void>): Promise<number> {
  const before = await storage.bytes();
  await fill();
  return ((await storage.bytes()) - before) / count;
}
