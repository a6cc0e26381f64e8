import { countPartitions, endsWithin, findMostWaiting } from "@hookwright/delivery";
import type { Clock, Worker, WorkerStats } from "@hookwright/delivery";
import { countNotDelivered } from "@hookwright/domain";
import { readAccountTotals, sumOutcomes } from "@hookwright/service";
import type { AccountTotals } from "@hookwright/service";
import type { StorageSpace, Store } from "@hookwright/storage";
import { Counter, Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import type { OutboxRelays } from "../outbox/create-relays.ts";
import { createMeasurement } from "./measurement.ts";
import type { Measurement } from "./measurement.ts";

export interface StateMetricsOptions {
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: Clock;
  /** The time that signatures and rows have, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly worker: () => Pick<Worker, "stats" | "heldPartitions">;
  /** Checks the storage. It resolves within seconds, even if the storage does not respond. */
  readonly check: () => Promise<unknown>;
  /** The result of that check. */
  readonly isWritable: () => boolean;
  readonly relays: Pick<OutboxRelays, "rejected" | "oldestSeconds" | "measure">;
}

/** Queued deliveries and webhooks are counted up to this number in each process. */
const maximumCounted = 100_000;
/** The webhooks with most queued deliveries that have a sample. */
const webhooksShown = 10;
/** The accounts with most events that were not delivered, which have a sample. */
const accountsShown = 10;
/** A scrape must not wait for a database that does not respond. */
const longestReadMs = 2_500;

/**
 * Adds the metrics that show a state. Deliveries and webhooks are counted in the process that leases their partition, so that the
 * metrics of several processes add up.
 */
export function addStateMetrics(options: StateMetricsOptions): void {
  addWorkerGauges(options);
  addPartitionGauges(options);
  addWaitingGauge(options);
  addStorageGauges(options);
  addSpaceGauges(options);
  addTime(options);
}

function addWorkerGauges({ registry, worker }: StateMetricsOptions): void {
  let current: WorkerStats | undefined;
  /** Read once for all gauges of a scrape, because it looks at every endpoint. */
  const readStats = (): WorkerStats => {
    if (current === undefined) setImmediate(() => (current = undefined));
    return (current ??= worker().stats);
  };
  const gauge = (name: string, help: string, read: (stats: WorkerStats) => number): void => {
    const metric: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => metric.set(read(readStats())),
    });
  };
  gauge("hookwright_attempts_sending", "Attempts in progress.", (stats) => stats.sending);
  gauge(
    "hookwright_attempts_unrecorded",
    "Attempts started but not yet recorded. A crash may repeat them.",
    (stats) => stats.unrecorded,
  );
  gauge("hookwright_deliveries_waiting", "Queued deliveries in memory.", (stats) => stats.waiting);
  gauge(
    "hookwright_webhooks_busy",
    "Webhooks with pending deliveries in memory.",
    (stats) => stats.endpoints,
  );
  gauge(
    "hookwright_webhooks_backing_off",
    "Webhooks in back-off: their last ten or more attempts failed.",
    (stats) => stats.backingOff,
  );
  gauge(
    "hookwright_partitions_leased",
    "Partitions that this process holds a lease for.",
    (stats) => stats.partitions,
  );
  const oldest: Gauge<"health"> = new Gauge({
    name: "hookwright_oldest_due_seconds",
    help: "How long the oldest due delivery has been due, by the scans of the last seconds. 0 if none is due. health is that of its webhook.",
    labelNames: ["health"],
    registers: [registry],
    collect() {
      const { healthy, failing } = readStats().oldestDueMs;
      oldest.set({ health: "healthy" }, healthy / 1_000);
      oldest.set({ health: "failing" }, failing / 1_000);
    },
  });
}

function addPartitionGauges({ registry, store, clock, now, worker }: StateMetricsOptions): void {
  const counts = createMeasurement({
    measure: () => countPartitions(store, worker().heldPartitions(), { limit: maximumCounted }),
    clock,
  });
  const events = createMeasurement({
    measure: async () => {
      const asked = { partitions: worker().heldPartitions(), period: "24h", now: now() } as const;
      const totals = await readAccountTotals(store, asked);
      return { sum: sumOutcomes(totals), most: findMostNotDelivered(totals) };
    },
    clock,
  });
  const addGauge = <Counted>(
    measurement: Measurement<Counted>,
    { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
    read: (counted: Counted) => Readonly<Record<string, number>>,
  ): void => {
    const metric: Gauge<string> = new Gauge<string>({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const counted = await measurement.read();
        // A number that is unknown has no sample, because NaN would make every sum NaN.
        metric.reset();
        if (counted === undefined) return;
        for (const [value, count] of Object.entries(read(counted))) metric.set({ [label]: value }, count);
      },
    });
  };
  addGauge(
    counts,
    {
      name: "hookwright_queue_depth",
      help: `Queued deliveries in the partitions of this process, counted up to ${maximumCounted}.`,
      label: "queue",
    },
    ({ newDeliveries, retries }) => ({ new: newDeliveries, retry: retries }),
  );
  addGauge(
    counts,
    {
      name: "hookwright_webhooks",
      help: `Webhooks in the partitions of this process, counted up to ${maximumCounted}.`,
      label: "status",
    },
    ({ webhooks }) => webhooks,
  );
  addGauge(
    events,
    {
      name: "hookwright_events",
      help: "Events of the last 24 hours in the partitions of this process, as the ledger counts them.",
      label: "outcome",
    },
    ({ sum: { due: _due, ...outcomes } }) => outcomes,
  );
  addGauge(
    events,
    {
      name: "hookwright_account_events_not_delivered",
      help: `Events of the last 24 hours that were not delivered, of the ${accountsShown} accounts in the partitions of this process with most.`,
      label: "account_id",
    },
    ({ most }) => most,
  );
}

/** Those with most events that were not delivered. An account without any has no sample. */
function findMostNotDelivered(totals: AccountTotals): Readonly<Record<string, number>> {
  const lost = Array.from(totals, ([id, ledger]) => [id, countNotDelivered(ledger)] as const);
  return Object.fromEntries(
    lost
      .filter(([, count]) => count > 0)
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, accountsShown),
  );
}

/** Only the largest queues, because a label for each of many thousand webhooks is too much for Prometheus. */
function addWaitingGauge({ registry, store, clock, worker }: StateMetricsOptions): void {
  const most = createMeasurement({
    measure: () =>
      findMostWaiting(store, {
        partitions: worker().heldPartitions(),
        limit: maximumCounted,
        webhooks: webhooksShown,
      }),
    clock,
  });
  const metric: Gauge<"webhook_id"> = new Gauge({
    name: "hookwright_webhook_waiting_deliveries",
    help: `Queued deliveries of the ${webhooksShown} webhooks in the partitions of this process that have most, each counted up to ${maximumCounted}.`,
    labelNames: ["webhook_id"],
    registers: [registry],
    async collect() {
      const found = await most.read();
      metric.reset();
      for (const { row, count } of found ?? []) metric.set({ webhook_id: row.id }, count);
    },
  });
}

function addStorageGauges({ registry, clock, check, isWritable, relays }: StateMetricsOptions): void {
  const registers = [registry];
  const writable: Gauge = new Gauge({
    name: "hookwright_storage_writable",
    help: "1 if a write to the storage succeeds, else 0.",
    registers,
    async collect() {
      // The last check of `/readyz` may be old.
      await check();
      writable.set(isWritable() ? 1 : 0);
    },
  });
  const rejected: Counter = new Counter({
    name: "hookwright_outbox_rejected_total",
    help: "Rows of the outbox that this process moved to outbox_rejected.",
    registers,
    collect() {
      rejected.reset();
      rejected.inc(relays.rejected());
    },
  });
  const oldest: Gauge = new Gauge({
    name: "hookwright_outbox_oldest_seconds",
    help: "Age of the oldest event in the outbox. 0 if there is none, NaN if the outbox cannot be read.",
    registers,
    async collect() {
      const isMeasured = await endsWithin(relays.measure(), { clock, ms: longestReadMs, onFault() {} });
      oldest.set(isMeasured ? relays.oldestSeconds() : Number.NaN);
    },
  });
}

function addSpaceGauges({ registry, store, clock }: StateMetricsOptions): void {
  const space = createMeasurement({ measure: async () => store.readSpace?.(), clock });
  const addGauge = (name: string, help: string, read: (space: StorageSpace) => number): void => {
    const metric: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const measured = await space.read();
        if (measured === undefined) metric.remove();
        else metric.set(read(measured));
      },
    });
  };
  addGauge(
    "hookwright_storage_size_bytes",
    "Size of the disk of the storage, or its memory limit.",
    ({ totalBytes }) => totalBytes,
  );
  addGauge(
    "hookwright_storage_free_bytes",
    "Free space of the storage: on its disk, or up to its memory limit.",
    ({ freeBytes }) => freeBytes,
  );
}

/** Prometheus knows when it scraped, so the difference shows a wrong clock. */
function addTime({ registry, now }: StateMetricsOptions): void {
  const time: Gauge = new Gauge({
    name: "hookwright_time_seconds",
    help: "Time of this process, in seconds since the epoch.",
    registers: [registry],
    collect: () => time.set(now() / 1_000),
  });
}
