import type { OnError } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import type { AttemptRow } from "../rows/delivery-row.ts";
import { estimateAttemptBytes } from "../rows/row-size.ts";
import type { Clock } from "../time/clock.ts";
import { sweepAccount } from "./sweep-account.ts";
import { sweepRecordVersions } from "./sweep-record-versions.ts";

/** What else leaves the rows of an account with time. */
export interface AccountSweep {
  /** The second part of its keys; the third is the account. */
  readonly table: string;
  /** One account after the other. `pause` is awaited between two windows, and throws once the sweeper is closed. */
  readonly sweep: (accountId: string, pause: () => Promise<void>) => Promise<unknown>;
}

export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The partitions this process works for: nobody else sweeps them. */
  readonly partitions: () => readonly string[];
  /** How long an ended delivery is kept. @default 30 days */
  readonly retentionMs?: number | undefined;
  /** Deliveries kept for each account. @default 1,000,000 */
  readonly maximumKept?: number | undefined;
  /** Size of the deliveries kept for each account, in bytes. @default 256 MiB */
  readonly maximumBytes?: number | undefined;
  /** What is swept after deliveries and versions of records. @default nothing */
  readonly further?: readonly AccountSweep[] | undefined;
  readonly onFault: OnError;
}

export interface Sweeper extends AsyncDisposable {
  start(): void;
  /** Reports an attempt that was recorded here. An account that writes much is swept before its hour. */
  noteAttempt(accountId: string, attempt: AttemptRow): void;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const firstAfterMs = 60_000;
const intervalMs = 60 * 60 * 1_000;
const pauseMs = 5;
/** An account that has written such a part of its size limit since its last sweep is swept at once. */
const partWritten = 1 / 8;
/**
 * Most accounts have nothing to sweep: after so many comes a pause, since a store that reads on this very thread never waits. They take a
 * millisecond; sixteen took twenty, and that was where somebody's publish was late.
 */
const accountsInARow = 4;
/** Above every id, which are ASCII. */
const last = "\u{10FFFF}";

/**
 * Keeps the delivery log of each account within its limits of age, number and size, and other logs as well. It sweeps every hour, one
 * partition after the other, in small windows with pauses between them, so that deliveries are not delayed.
 *
 * @see docs/decisions/retention.md
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { store, clock, partitions, retentionMs = 30 * dayMs, maximumKept = 1_000_000, onFault } = options;
  const { maximumBytes = 256 * 2 ** 20 } = options;
  const deliveries: AccountSweep = {
    table: "delivery",
    async sweep(accountId) {
      written.delete(accountId);
      await sweepAccount({
        store,
        accountId,
        endedBefore: clock.now() - retentionMs,
        maximumKept,
        maximumBytes,
        pause,
        onFault: reportUnlessClosed,
      });
    },
  };
  const sweeps: readonly AccountSweep[] = [
    deliveries,
    {
      table: "record-version-end",
      sweep: (accountId) => sweepRecordVersions({ store, accountId, now: clock.now(), pause }),
    },
    ...(options.further ?? []),
  ];
  /** Bytes that each account has written since its last sweep, about. */
  const written = new Map<string, number>();
  /** Accounts that are swept before their hour. */
  const early = new Set<string>();
  let closed = false;
  let cancel = (): void => {};
  let sweeping: Promise<void> = Promise.resolve();
  let endPause = (): void => {};

  function plan(delayMs: number): void {
    if (closed) return;
    cancel = clock.schedule(() => {
      sweeping = sweeping.then(sweep).then(() => plan(intervalMs));
    }, delayMs);
  }

  function noteAttempt(accountId: string, attempt: AttemptRow): void {
    if (closed) return;
    const bytes = (written.get(accountId) ?? 0) + estimateAttemptBytes(attempt);
    written.set(accountId, bytes);
    if (bytes < maximumBytes * partWritten || early.has(accountId)) return;
    early.add(accountId);
    // One sweep at a time: two sweeps of one account would both remove the excess.
    sweeping = sweeping.then(sweepEarly);
  }

  async function sweepEarly(): Promise<void> {
    for (const accountId of early) {
      early.delete(accountId);
      // Another process may work for the account meanwhile, and sweeps it then.
      if (!closed && partitions().includes(partitionOf(accountId))) await sweepOne(deliveries, accountId);
    }
  }

  /** Damaged data of one account must not keep the others from being swept. */
  async function sweepOne({ table, sweep: sweepTable }: AccountSweep, accountId: string): Promise<void> {
    try {
      await sweepTable(accountId, pause);
    } catch (error) {
      reportUnlessClosed(error, { account_id: accountId, table, code: "retention_failed" });
    }
  }

  async function sweep(): Promise<void> {
    let swept = 0;
    for (const partition of partitions()) {
      try {
        for (const each of sweeps) {
          for await (const accountId of accountsIn([partition, each.table])) {
            if (closed) return;
            await sweepEarly();
            await sweepOne(each, accountId);
            swept += 1;
            if (swept % accountsInARow === 0) await pause();
          }
        }
      } catch (error) {
        if (closed) return;
        onFault(error, { partition, code: "retention_failed" });
      }
    }
  }

  function reportUnlessClosed(...[error, context]: Parameters<OnError>): void {
    if (!closed) onFault(error, context);
  }

  /** Every account that has rows of a kind: one seek for each, however many rows there are. */
  async function* accountsIn(prefix: Key): AsyncGenerator<string> {
    let after: Key | undefined;
    for (;;) {
      const [entry] = await store.list({ prefix, limit: 1, after });
      const accountId = entry?.key[2];
      if (typeof accountId !== "string") return;
      yield accountId;
      after = [...prefix, accountId, last];
    }
  }

  async function pause(): Promise<void> {
    if (closed) throw new Error("the sweeper is closed");
    await new Promise<void>((resolve) => {
      const cancelEnd = clock.schedule(resolve, pauseMs);
      endPause = () => {
        cancelEnd();
        resolve();
      };
    });
  }

  async function close(): Promise<void> {
    closed = true;
    cancel();
    endPause();
    await sweeping;
  }

  return { start: () => plan(firstAfterMs), noteAttempt, close, [Symbol.asyncDispose]: close };
}
