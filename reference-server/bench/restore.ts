import { parseArgs } from "node:util";
import { createHookwright } from "hookwright";
import type { Hookwright } from "hookwright";
import { buildImageRoot, readImage } from "../test/support/image.ts";
import { isRestorable, openRestorable, restorableNames } from "../test/support/restorable.ts";
import type { Contents, RestorableName, RestorableOptions } from "../test/support/restorable.ts";
import { sampleOrder } from "./support/sample-order.ts";
import { printTable } from "./support/table.ts";

/**
 * The drill of the page on backups, with its commands: fill a storage, back it up while events are published, lose it, restore it, and
 * compare. The drill fails if anything is missing that was acknowledged before the backup began.
 */
const { values } = parseArgs({
  options: {
    events: { type: "string", default: "20000" },
    only: { type: "string", default: restorableNames.join(",") },
    image: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(
    `npm run bench -- restore [--events 20000] [--only ${restorableNames.join(",")}] [--image]
--image: \`hookwright\` is the program of the image, in its root directory. Only root can do this.`,
  );
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

async function drill(
  name: RestorableName,
  image: RestorableOptions["image"],
): Promise<Record<string, string>> {
  await using place = await openRestorable(name, { secret, image, fsync: true });
  let store = await place.openStore();
  let program = await createHookwright({ store, secret, role: "api" });
  await fill(program);
  const before = await place.check();
  const stopPublishing = publishOn(program, events);
  const [backupSeconds, bytes] = await measure(() => place.backup());
  await stopPublishing();
  const lost = await place.check();
  await program.close();
  await store.close();
  await place.lose();
  const [restoreSeconds] = await measure(() => place.restore());
  const [checkSeconds, after] = await measure(() => place.check());
  const [readySeconds] = await measure(async () => {
    store = await place.openStore();
    program = await createHookwright({ store, secret, role: "api" });
  });
  await compare(program);
  await program.close();
  await store.close();
  return {
    "": titles[name],
    "backup MB": (bytes / 1_000_000).toFixed(1),
    "backup s": backupSeconds,
    "restore s": restoreSeconds,
    "check s": checkSeconds,
    "ready s": readySeconds,
    "rows before": formatRows(before),
    "when lost": formatRows(lost),
    restored: formatRows(after),
    warnings: String(after.warnings.length),
  };
}

const titles: Readonly<Record<RestorableName, string>> = {
  file: "data directory",
  redis: "Redis, appendonly no",
  "redis-aof": "Redis, appendonly yes",
  postgres: "PostgreSQL",
};

function formatRows({ rows, summary }: Contents): string {
  if (rows === undefined) throw new Error(`The data is damaged: ${summary}`);
  return rows.toLocaleString("en");
}

const names = values.only.split(",");
const unknown = names.filter((name) => !isRestorable(name));
if (unknown.length > 0)
  throw new Error(
    `There is no storage "${unknown.join(", ")}". Choose among: ${restorableNames.join(", ")}.`,
  );
const image = await readImage();
await using root = values.image ? await buildImageRoot(image) : undefined;
const rows: Record<string, string>[] = [];
for (const name of names.filter(isRestorable))
  rows.push(await drill(name, root && { folder: root.folder, user: image.user }));
const where = values.image ? "the image" : "the build";
printTable(
  `Backup and restore of ${events.toLocaleString("en")} orders with one delivery each, with ${where}`,
  rows,
);
console.log();
