import { parseArgs } from "node:util";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { openRestorable, storages } from "./support/restorable.ts";
import type { Restorable } from "./support/restorable.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable } from "./support/table.ts";

/**
 * The drill of the page on backups: fill a storage, back it up while events are published, lose it, restore it, and compare. The
 * drill fails if anything is missing that was acknowledged before the backup began.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    only: { type: "string", default: storages.join(",") },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(`npm run bench -- restore [--events 20000] [--only ${storages.join(",")}]`);
  process.exit(0);
}
const events = Number(values.events);
const batch = 256;
const secret = "s".repeat(32);
const account = "acc_bench";

async function publish(hookwright: Hookwright, first: number, count: number): Promise<void> {
  await hookwright.publishMany(
    Array.from({ length: count }, (_, index) => ({
      event: "order.created" as const,
      project_id: "site_bench",
      data: sampleOrder(first + index),
    })),
  );
}

/** Publishes in the background until it is stopped. */
function publishOn(hookwright: Hookwright, first: number) {
  let isStopped = false;
  const done = (async () => {
    for (let number = first; !isStopped; number++) await publish(hookwright, number, 1);
  })();
  return async () => {
    isStopped = true;
    await done;
  };
}

async function fill(hookwright: Hookwright): Promise<void> {
  await hookwright.accounts.put(account, { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: account });
  await hookwright.webhooks.create(
    { accountId: account, credential: { type: "console" } },
    { event: "order.created", target_url: "https://receiver.example/orders" },
  );
  for (let first = 0; first < events; first += batch)
    await publish(hookwright, first, Math.min(batch, events - first));
}

/** Reads every order that was acknowledged before the backup, and counts their deliveries. */
async function compare(hookwright: Hookwright): Promise<void> {
  for (let first = 0; first < events; first += batch)
    await Promise.all(
      Array.from({ length: Math.min(batch, events - first) }, (_, index) =>
        hookwright.orders.get(account, `ord_${first + index}`),
      ),
    );
  const { pending } = (await hookwright.stats()).deliveries;
  if (pending < events) throw new Error(`${events - pending} of ${events} deliveries are missing`);
}

async function measure<Result>(action: () => Promise<Result>): Promise<[seconds: string, Result]> {
  const start = performance.now();
  const result = await action();
  return [((performance.now() - start) / 1_000).toFixed(1), result];
}

async function drill(place: Restorable): Promise<Record<string, string>> {
  let store = await place.openStore();
  let hookwright = await createHookwright({ store, secret, role: "api" });
  await fill(hookwright);
  const stopPublishing = publishOn(hookwright, events);
  const [backupSeconds, bytes] = await measure(() => place.backup());
  await stopPublishing();
  await hookwright.close();
  await store.close();
  await place.lose();
  const [restoreSeconds] = await measure(() => place.restore());
  const [readySeconds] = await measure(async () => {
    store = await place.openStore();
    hookwright = await createHookwright({ store, secret, role: "api" });
  });
  const [compareSeconds] = await measure(() => compare(hookwright));
  await hookwright.close();
  await store.close();
  return {
    "": place.name,
    "backup MB": (bytes / 1_000_000).toFixed(0),
    "backup s": backupSeconds,
    "restore s": restoreSeconds,
    "ready s": readySeconds,
    "comparison s": compareSeconds,
  };
}

const rows: Record<string, string>[] = [];
for (const name of values.only.split(",")) {
  await using place = await openRestorable(name);
  rows.push(await drill(place));
}
printTable(`Backup and restore of ${events.toLocaleString("en")} orders with one delivery each`, rows);
console.log();
