import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { applyHeapSettings } from "../src/heap-settings.ts";
import { bareFilesystem, bareMemory, measureBareOutbox } from "./support/bare-outbox.ts";
import { measureCeiling } from "./support/ceiling.ts";
import { measureDelivery } from "./support/deliver.ts";
import type { DeliveryFigures } from "./support/deliver.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { median, printTable } from "./support/table.ts";

/**
 * Deliveries per second, from publish to the recorded 2xx, against the ceiling measured in the same round. Rounds
 * alternate, so that a machine that speeds up or slows down meets all of them alike; the median of the ratios counts. Bare
 * outboxes are beside it to show what storage and sending alone take.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 30_000);
/** So many of each kind: V8 compiles the last of what a delivery runs through after some ten thousand. */
const warmUp = 40_000;

interface Contender {
  readonly name: string;
  readonly budget?: number;
  readonly storage: "memory" | "file";
  measure(deliveries: number): Promise<DeliveryFigures>;
}

async function inMemory(count: number, webhooks = 1): Promise<DeliveryFigures> {
  await using store = memoryStore();
  return await measureDelivery(store, receiver, { count, webhooks });
}

async function inDirectory<Measured>(measure: (directory: string) => Promise<Measured>): Promise<Measured> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
  try {
    return await measure(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

const onDisk = (count: number, webhooks = 1): Promise<DeliveryFigures> =>
  inDirectory(async (directory) => {
    await using store = await openFilesystemStore({ directory });
    return await measureDelivery(store, receiver, { count, webhooks });
  });

const contenders: readonly Contender[] = [
  { name: "memory", budget: 0.7, storage: "memory", measure: (count) => inMemory(count) },
  { name: "filesystem", budget: 0.5, storage: "file", measure: (count) => onDisk(count) },
  { name: "memory, 4 webhooks an event", storage: "memory", measure: (count) => inMemory(count, 4) },
  { name: "filesystem, 4 webhooks an event", storage: "file", measure: (count) => onDisk(count, 4) },
  {
    name: "bare outbox, a Map",
    storage: "memory",
    measure: (count) => measureBareOutbox(bareMemory(), receiver, count),
  },
  {
    name: "bare outbox, LMDB",
    storage: "file",
    measure: (count) =>
      inDirectory((directory) => measureBareOutbox(bareFilesystem(directory), receiver, count)),
  },
];

type Ceiling = Awaited<ReturnType<typeof measureCeiling>>;
type Run = DeliveryFigures & { readonly ratio: number };

await using receiver = await openReceiver();
const ceilings: Ceiling[] = [];
const runs = new Map<string, Run[]>();

/** As the server runs on that storage. */
function measure(contender: Contender, deliveries: number): Promise<DeliveryFigures> {
  applyHeapSettings(contender.storage);
  return contender.measure(deliveries);
}

process.stderr.write("warming up …\n");
applyHeapSettings("memory");
await measureCeiling(receiver.origin, warmUp);
for (const contender of contenders) await measure(contender, warmUp);
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  applyHeapSettings("memory");
  const ceiling = await measureCeiling(receiver.origin, count);
  ceilings.push(ceiling);
  for (const contender of contenders) {
    const measured = await measure(contender, count);
    const run = { ...measured, ratio: measured.perSecond / ceiling.perSecond };
    runs.set(contender.name, [...(runs.get(contender.name) ?? []), run]);
  }
}

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
const rowOf = ({ name, budget }: Contender) => {
  const measured = runs.get(name) ?? [];
  return {
    "": name,
    "per second": whole(median(measured.map(({ perSecond }) => perSecond))),
    ratio: median(measured.map(({ ratio }) => ratio)).toFixed(2),
    budget: budget === undefined ? "" : `≥ ${budget.toFixed(2)}`,
    "CPU µs": median(measured.map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(0),
    lost: whole(measured.reduce((sum, { lost }) => sum + lost, 0)),
    duplicates: whole(measured.reduce((sum, { duplicates }) => sum + duplicates, 0)),
  };
};
printTable(
  `Publish to recorded 2xx, one process, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
  [
    {
      "": "ceiling (bare undici + HMAC)",
      "per second": whole(median(ceilings.map(({ perSecond }) => perSecond))),
      ratio: "1.00",
      budget: "",
      "CPU µs": median(ceilings.map(({ cpuMicroseconds }) => cpuMicroseconds)).toFixed(0),
      lost: "",
      duplicates: "",
    },
    ...contenders.map(rowOf),
  ],
);
console.log();
