import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { measureCeiling } from "./support/ceiling.ts";
import { measureDelivery } from "./support/deliver.ts";
import type { DeliveryFigures } from "./support/deliver.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { median, printTable } from "./support/table.ts";

/**
 * Deliveries per second, from publish to the recorded 2xx, against the ceiling measured in the same round. Rounds
 * alternate, so that a machine that speeds up or slows down meets all of them alike; the median of the ratios counts.
 */
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const count = Number(process.env["BENCH_DELIVERIES"] ?? 40_000);

interface Contender {
  readonly name: string;
  readonly budget: number;
  open(): Promise<{ store: Store; clean(): Promise<void> }>;
}

const contenders: readonly Contender[] = [
  { name: "memory", budget: 0.7, open: async () => ({ store: memoryStore(), clean: async () => {} }) },
  {
    name: "filesystem",
    budget: 0.5,
    async open() {
      const directory = await mkdtemp(join(tmpdir(), "hookwright-bench-"));
      const store = await openFilesystemStore({ directory });
      return { store, clean: () => rm(directory, { recursive: true }) };
    },
  },
];

await using receiver = await openReceiver();
const ceilings: number[] = [];
const figures = new Map<string, (DeliveryFigures & { readonly ratio: number })[]>();
await measureCeiling(receiver.origin, 10_000); // warm up
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds} …\n`);
  const ceiling = await measureCeiling(receiver.origin, count);
  ceilings.push(ceiling);
  for (const { name, open } of contenders) {
    const { store, clean } = await open();
    const measured = await measureDelivery(store, receiver, count);
    await store.close();
    await clean();
    figures.set(name, [...(figures.get(name) ?? []), { ...measured, ratio: measured.perSecond / ceiling }]);
  }
}

const whole = (figure: number): string => Math.round(figure).toLocaleString("en");
printTable(
  `Publish to recorded 2xx, one process, 1 KiB bodies, ${rounds} × ${whole(count)} deliveries (medians)`,
  [
    {
      "": "ceiling (bare undici + HMAC)",
      "per second": whole(median(ceilings)),
      ratio: "1.00",
      budget: "",
      lost: "",
      duplicates: "",
    },
    ...contenders.map(({ name, budget }) => {
      const runs = figures.get(name) ?? [];
      return {
        "": name,
        "per second": whole(median(runs.map(({ perSecond }) => perSecond))),
        ratio: median(runs.map(({ ratio }) => ratio)).toFixed(2),
        budget: `≥ ${budget.toFixed(2)}`,
        lost: whole(runs.reduce((sum, { lost }) => sum + lost, 0)),
        duplicates: whole(runs.reduce((sum, { duplicates }) => sum + duplicates, 0)),
      };
    }),
  ],
);
console.log();
