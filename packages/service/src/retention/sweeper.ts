import {
  estimateAttemptBytes,
  listAccountsWithLog,
  removedWebhookTable,
  sweepRemovedWebhooks,
} from "@hookwright/delivery";
import type { AttemptRow, Clock } from "@hookwright/delivery";
import type { KeptBodies, OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { readAccountRetention } from "../lookups/read-account.ts";
import { eventWithIdTable, missedEventTable } from "../rows/keys.ts";
import { writeLogSize } from "../rows/log-size-row.ts";
import { sweepAuditLog } from "./sweep-audit-log.ts";
import { sweepMissedEvents } from "./sweep-missed-events.ts";
import { sweepDeliveries } from "./sweep-deliveries.ts";
import type { RetentionLimits } from "./sweep-deliveries.ts";
import { sweepEvents } from "./sweep-events.ts";
import { sweepRecordVersions } from "./sweep-record-versions.ts";

/** Sweeps another kind of rows of each account. */
export interface AccountSweep {
  /** The second part of their keys. The third is the account. */
  readonly table: string;
  /** Accounts are swept in sequence. `pause` is awaited between two batches, and throws when the sweeper is closed. */
  readonly sweep: (accountId: string, pause: () => Promise<void>) => Promise<unknown>;
}

export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The partitions that this process works for. No other process sweeps them. */
  readonly partitions: () => readonly string[];
  /** How long an ended delivery is kept. The host can set it and the next two for an account. @default 30 days */
  readonly retentionMs?: number | undefined;
  /** Deliveries kept for each account. @default 1,000,000 */
  readonly maximumKept?: number | undefined;
  /** Size of the deliveries kept for each account, in bytes. @default 256 MiB */
  readonly maximumBytes?: number | undefined;
  /** Until when the log has bodies. The host can set it for an account. @default "all" */
  readonly keptBodies?: KeptBodies | undefined;
  /** Swept after what the sweeper knows itself, such as the request log. @default nothing */
  readonly further?: readonly AccountSweep[] | undefined;
  readonly onError: OnError;
}

export interface Sweeper extends AsyncDisposable {
  start(): void;
  /** Reports an attempt that this process recorded. An account that writes much is swept early. */
  noteAttempt(accountId: string, attempt: AttemptRow): void;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const firstAfterMs = 60_000;
const intervalMs = 60 * 60 * 1_000;
const pauseMs = 5;
/** An account that has written this part of its size limit since its last sweep is swept early. */
const earlyShare = 1 / 8;
/** Most accounts have nothing to sweep. A pause follows this many, because a store that reads in this thread never waits. */
const accountsInARow = 4;

/**
 * Keeps the delivery log of each account within its limits of age, number and size, and the audit log, missed events, events with an
 * id, removed webhooks and replaced versions of records within theirs. Every hour it sweeps one
 * partition after the other, in small batches with pauses, so that deliveries are not delayed.
 *
 * @see docs/decisions/retention.md
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { store, clock, partitions, retentionMs = 30 * dayMs, maximumKept = 1_000_000, onError } = options;
  const { maximumBytes = 256 * 2 ** 20, keptBodies = "all", further = [] } = options;
  /** Estimated bytes that each account has written since its last sweep. */
  const written = new Map<string, number>();
  /** Accounts to be swept early. */
  const early = new Set<string>();
  let closed = false;
  let cancelTimer = (): void => {};
  let sweeping: Promise<void> = Promise.resolve();
  let endPause = (): void => {};

  const deliveries: AccountSweep = {
    table: "delivery",
    async sweep(accountId) {
      written.delete(accountId);
      const own = await readAccountRetention(store, accountId);
      const limits: RetentionLimits = {
        endedBefore: clock.now() - (own.retentionMs ?? retentionMs),
        maximumKept: own.deliveriesKept ?? maximumKept,
        maximumBytes: own.deliveryLogBytes ?? maximumBytes,
      };
      const swept = { ...limits, store, accountId, pause, onError: reportUnlessClosed };
      await writeLogSize(store, accountId, await sweepDeliveries(swept), clock.now());
    },
  };
  const others: readonly AccountSweep[] = [
    {
      table: "record-version-end",
      async sweep(accountId) {
        const { bodies = keptBodies } = await readAccountRetention(store, accountId);
        const areReferenced = bodies === "all";
        await sweepRecordVersions({ store, accountId, now: clock.now(), areReferenced, pause });
      },
    },
    { table: "audit", sweep: (accountId) => sweepAuditLog({ store, accountId, pause }) },
    {
      table: missedEventTable,
      async sweep(accountId) {
        const { retentionMs: ownMs = retentionMs } = await readAccountRetention(store, accountId);
        await sweepMissedEvents({ store, accountId, publishedBefore: clock.now() - ownMs, pause });
      },
    },
    {
      table: eventWithIdTable,
      async sweep(accountId) {
        const { retentionMs: ownMs = retentionMs } = await readAccountRetention(store, accountId);
        const now = clock.now();
        await sweepEvents({ store, accountId, publishedBefore: now - ownMs, now, pause });
      },
    },
    { table: removedWebhookTable, sweep: (accountId) => sweepRemovedWebhooks({ store, accountId, pause }) },
    ...further,
  ];

  function schedule(delayMs: number): void {
    if (closed) return;
    cancelTimer = clock.schedule(() => {
      sweeping = sweeping.then(sweepAll).then(() => schedule(intervalMs));
    }, delayMs);
  }

  function noteAttempt(accountId: string, attempt: AttemptRow): void {
    if (closed) return;
    const bytes = (written.get(accountId) ?? 0) + estimateAttemptBytes(attempt);
    written.set(accountId, bytes);
    if (bytes < maximumBytes * earlyShare || early.has(accountId)) return;
    early.add(accountId);
    // One sweep at a time: two sweeps of one account would both remove the excess.
    sweeping = sweeping.then(sweepEarly);
  }

  async function sweepEarly(): Promise<void> {
    for (const accountId of early) {
      early.delete(accountId);
      // Another process may have taken over the account. It sweeps it then.
      if (!closed && partitions().includes(partitionOf(accountId))) await sweepOne(deliveries, accountId);
    }
  }

  /** Damaged rows of one account must not keep the others from being swept. */
  async function sweepOne({ table, sweep }: AccountSweep, accountId: string): Promise<void> {
    try {
      await sweep(accountId, pause);
    } catch (error) {
      reportUnlessClosed(error, { account_id: accountId, table, code: "retention_failed" });
    }
  }

  async function sweepAll(): Promise<void> {
    let swept = 0;
    async function sweepAccounts(accounts: AsyncIterable<string>, sweep: AccountSweep): Promise<void> {
      for await (const accountId of accounts) {
        if (closed) return;
        await sweepEarly();
        await sweepOne(sweep, accountId);
        swept += 1;
        if (swept % accountsInARow === 0) await pause();
      }
    }
    for (const partition of partitions()) {
      try {
        await sweepAccounts(listAccountsWithLog(store, partition), deliveries);
        for (const sweep of others) await sweepAccounts(listAccounts(store, partition, sweep.table), sweep);
      } catch (error) {
        if (closed) return;
        onError(error, { partition, code: "retention_failed" });
      }
    }
  }

  function reportUnlessClosed(...[error, context]: Parameters<OnError>): void {
    if (!closed) onError(error, context);
  }

  async function pause(): Promise<void> {
    if (closed) throw new Error("the sweeper is closed");
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(resolve, pauseMs);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function close(): Promise<void> {
    closed = true;
    cancelTimer();
    endPause();
    await sweeping;
  }

  return { start: () => schedule(firstAfterMs), noteAttempt, close, [Symbol.asyncDispose]: close };
}

/** The accounts of a partition that have rows in a table. */
async function* listAccounts(store: Store, partition: string, table: string): AsyncGenerator<string> {
  for await (const entries of listPages(store, { prefix: [partition, table], groupBy: 1 }))
    for (const { key } of entries) yield String(key[2]);
}
