import type { OnError } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
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
  /** What is swept after deliveries and versions of records. @default nothing */
  readonly further?: readonly AccountSweep[] | undefined;
  readonly onFault: OnError;
}

export interface Sweeper extends AsyncDisposable {
  start(): void;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const firstAfterMs = 60_000;
const intervalMs = 60 * 60 * 1_000;
const pauseMs = 5;
/**
 * Most accounts have nothing to sweep: after so many comes a pause, since a store that reads on this very thread never waits. They take a
 * millisecond; sixteen took twenty, and that was where somebody's publish was late.
 */
const accountsInARow = 4;
/** Above every id, which are ASCII. */
const last = "\u{10FFFF}";

/**
 * Keeps the delivery log bounded by age and count, and what else is to be. It works in small windows with pauses between them, one partition after
 * the other, so that no delivery notices.
 *
 * @see docs/decisions/retention.md
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { store, clock, partitions, retentionMs = 30 * dayMs, maximumKept = 1_000_000, onFault } = options;
  const sweeps: readonly AccountSweep[] = [
    {
      table: "delivery",
      sweep: (accountId) =>
        sweepAccount({
          store,
          accountId,
          endedBefore: clock.now() - retentionMs,
          maximumKept,
          pause,
          onFault: reportUnlessClosed,
        }),
    },
    {
      table: "record-version-end",
      sweep: (accountId) => sweepRecordVersions({ store, accountId, now: clock.now(), pause }),
    },
    ...(options.further ?? []),
  ];
  let closed = false;
  let cancel = (): void => {};
  let sweeping: Promise<void> = Promise.resolve();
  let endPause = (): void => {};

  function plan(delayMs: number): void {
    if (closed) return;
    cancel = clock.schedule(() => {
      sweeping = sweep().then(() => plan(intervalMs));
    }, delayMs);
  }

  async function sweep(): Promise<void> {
    let swept = 0;
    for (const partition of partitions()) {
      try {
        for (const { table, sweep: sweepOne } of sweeps) {
          for await (const accountId of accountsIn([partition, table])) {
            if (closed) return;
            // What is damaged in one account must not keep what others have.
            await sweepOne(accountId, pause).catch((error: unknown) =>
              reportUnlessClosed(error, { account_id: accountId, table, code: "retention_failed" }),
            );
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

  return { start: () => plan(firstAfterMs), close, [Symbol.asyncDispose]: close };
}
