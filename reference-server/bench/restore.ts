import { parseArgs } from "node:util";
import { createHookwright } from "hookwright";
import { buildImageRoot, readImage } from "../test/support/image.ts";
import { isRestorable, openRestorable, restorableNames } from "../test/support/restorable.ts";
import type { Contents, Restorable, RestorableName, RestorableOptions } from "../test/support/restorable.ts";
import { openUnit } from "./support/open-unit.ts";
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
    unit: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(
    `npm run bench -- restore [--events 20000] [--only ${restorableNames.join(",")}] [--image] [--unit]
--image: \`hookwright\` is the program of the image, in its root directory.
--unit: the same storages of the unit as well, under a systemd of its own, with the Redis and PostgreSQL of Debian.
Both need root on Linux.`,
  );
  process.exit(0);
}
const events = Number(values.events);
const batch = 256;
const secret = "s".repeat(32);
const account = "acc_bench";

/** A storage with the program that uses it. */
interface Subject extends Pick<Restorable, "backup" | "check" | "lose"> {
  readonly title: string;
  restore(): Promise<void>;
  /** Starts the program and waits until it is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  publish(first: number, count: number): Promise<void>;
  /** How many events are published at once during the backup. */
  readonly atOnce: number;
  /** Reads every order that was acknowledged before the backup. */
  readAll?(): Promise<void>;
}

const titles: Readonly<Record<RestorableName, string>> = {
  file: "data directory",
  redis: "Redis, appendonly no",
  "redis-aof": "Redis, appendonly yes",
  postgres: "PostgreSQL",
};

async function openSubject(
  name: RestorableName,
  image: RestorableOptions["image"],
): Promise<Subject & AsyncDisposable> {
  const place = await openRestorable(name, { secret, image, fsync: true });
  const start = async () => {
    const store = await place.openStore();
    return { store, hookwright: await createHookwright({ store, secret, role: "api" }) };
  };
  let program = await start();
  const { hookwright } = program;
  await hookwright.accounts.put(account, { email: "bench@example.com" });
  await hookwright.projects.put("site_bench", { account_id: account });
  await hookwright.webhooks.create(
    { accountId: account, credential: { type: "console" } },
    { event: "order.created", target_url: "https://receiver.example/orders" },
  );
  return {
    ...place,
    title: `${image === undefined ? "the build" : "the image"}: ${titles[name]}`,
    atOnce: 1,
    async start() {
      program = await start();
    },
    async stop() {
      await program.hookwright.close();
      await program.store.close();
    },
    async publish(first, count) {
      const toEvent = (number: number) => ({
        event: "order.created" as const,
        project_id: "site_bench",
        data: sampleOrder(number),
      });
      await program.hookwright.publishMany(
        Array.from({ length: count }, (_, index) => toEvent(first + index)),
      );
    },
    async readAll() {
      for (let number = 0; number < events; number++)
        await program.hookwright.orders.get(account, `ord_${number}`);
    },
  };
}

/** Publishes in the background until it is stopped. */
function publishOn({ publish, atOnce }: Subject) {
  let isStopped = false;
  const done = (async () => {
    for (let number = events; !isStopped; number += atOnce) await publish(number, atOnce);
  })();
  return async () => {
    isStopped = true;
    await done;
  };
}

async function measure<Result>(action: () => Promise<Result>): Promise<[seconds: string, Result]> {
  const start = performance.now();
  const result = await action();
  return [((performance.now() - start) / 1_000).toFixed(1), result];
}

async function drill(subject: Subject): Promise<Record<string, string>> {
  for (let first = 0; first < events; first += batch)
    await subject.publish(first, Math.min(batch, events - first));
  const before = await subject.check();
  const stopPublishing = publishOn(subject);
  const [backupSeconds, bytes] = await measure(() => subject.backup());
  await stopPublishing();
  const lost = await subject.check();
  await subject.stop();
  await subject.lose();
  const [restoreSeconds] = await measure(() => subject.restore());
  const [checkSeconds, after] = await measure(() => subject.check());
  const [readySeconds] = await measure(() => subject.start());
  await subject.readAll?.();
  await subject.stop();
  const missing = events - readPending(after);
  if (missing > 0) throw new Error(`${missing} of ${events} deliveries are missing`);
  return {
    "": subject.title,
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

function readPending({ summary }: Contents): number {
  return Number(/pending deliveries: ([\d,]+)/u.exec(summary)?.[1]?.replaceAll(",", "") ?? 0);
}

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
for (const name of names.filter(isRestorable)) {
  await using subject = await openSubject(name, root && { folder: root.folder, user: image.user });
  rows.push(await drill(subject));
}
for (const name of values.unit ? names.filter(isRestorable) : []) {
  await using unit = await openUnit(name);
  rows.push(await drill({ ...unit, title: `the unit: ${titles[name]}`, atOnce: batch }));
}
printTable(`Backup and restore of ${events.toLocaleString("en")} orders with one delivery each`, rows);
console.log();
