import type { Key, Store } from "@hookwright/storage";
import type { Clock } from "../time/clock.ts";
import { sweepAccount } from "./sweep-account.ts";
import { sweepRecordVersions } from "./sweep-record-versions.ts";

export interface SweeperOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The partitions this process works for: nobody else sweeps them. */
  readonly partitions: () => readonly string[];
  /** How long an ended delivery is kept. @default 30 days */
  readonly retentionMs?: number;
  /** Deliveries kept for each account. @default 1,000,000 */
  readonly maximumKept?: number;
  readonly onFault: (error: unknown) => void;
}

export interface Sweeper extends AsyncDisposable {
  start(): void;
  close(): Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const firstAfterMs = 60_000;
const intervalMs = 60 * 60 * 1_000;
const pauseMs = 5;
/** Above every id, which are ASCII. */
const last = "\u{10FFFF}";

/**
 * Keeps the delivery log bounded by age and count. It works in small windows with pauses between them, one partition after
 * the other, so that no delivery notices.
 *
 * @see docs/decisions/retention.md
 */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { store, clock, partitions, retentionMs = 30 * dayMs, maximumKept = 1_000_000, onFault } = options;
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
    for (const partition of partitions()) {
      try {
        for await (const accountId of accountsIn([partition, "delivery"])) {
          if (closed) return;
          const endedBefore = clock.now() - retentionMs;
          await sweepAccount({ store, accountId, endedBefore, maximumKept, pause });
        }
        for await (const accountId of accountsIn([partition, "record-version-end"])) {
          if (closed) return;
          await sweepRecordVersions({ store, accountId, now: clock.now(), pause });
        }
      } catch (error) {
        if (closed) return;
        onFault(error);
      }
    }
  }

  /** Every account that has rows of a kind: one seek for each, however many rows there are. */
  async function* accountsIn(prefix: Key): AsyncGenerator<string> {
    let after: Key | undefined;
    for (;;) {
      const [entry] = await store.list({ prefix, limit: 1, ...(after === undefined ? {} : { after }) });
      const accountId = entry?.key[2];
      if (typeof accountId !== "string") return;
      yield accountId;
      after = [...prefix, accountId, last];
    }
  }

  async function pause(): Promise<void> {
    if (closed) throw new Error("the sweeper is closed");
    await new Promise<void>((resolve) => {
      endPause = resolve;
      clock.schedule(resolve, pauseMs);
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
