import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import type { Clock } from "../clock.ts";
import { keys } from "../storage/keys.ts";
import { foldLedger } from "./fold-ledger.ts";
import { minuteMs } from "./steps.ts";

export interface BackgroundFoldsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The partitions of this worker. */
  readonly held: () => readonly string[];
  readonly onError: OnError;
}

/** An account with more results since its last fold is folded every minute. */
const busyResults = 500;
/** The sums of the others are folded when they are so old. */
const quietMs = 2 * 60 * minuteMs;
/** All partitions have their turn in so many minutes. */
const roundMinutes = 60;
/** Sums that one commit folds. */
const maximumFolded = 500;
/** Commits for one account in a row. The next turn continues. */
const maximumCommits = 200;

/** Folds the ledgers of the accounts of this worker, while other work runs. It needs no lease: two workers fold nothing twice. */
export function createBackgroundFolds({ store, clock, held, onError }: BackgroundFoldsOptions) {
  /** Results by account, since its last fold or the last round. */
  const results = new Map<string, number>();
  /** Their newest sums were of the minute that was not over. */
  const lastBusy = new Set<string>();
  let round: string[] = [];
  let isStopped = false;
  let cancelTimer = (): void => {};

  async function turn(): Promise<void> {
    const accounts = new Set(lastBusy);
    lastBusy.clear();
    for (const [accountId, count] of results) {
      if (count < busyResults) continue;
      results.delete(accountId);
      lastBusy.add(accountId);
      accounts.add(accountId);
    }
    for (const accountId of accounts) await foldAll(accountId, clock.now());
    if (round.length === 0) {
      round = [...held()];
      results.clear();
    }
    for (const partition of round.splice(0, Math.ceil(held().length / roundMinutes)))
      if (held().includes(partition)) await foldQuiet(partition);
  }

  /** Each account of the partition whose oldest sum is old enough. */
  async function foldQuiet(partition: string): Promise<void> {
    for await (const page of listPages(store, { prefix: keys.ledgerSumsIn(partition), groupBy: 1 }))
      for (const { key } of page) {
        if (isStopped) return;
        const before = clock.now() - quietMs;
        if (Number(key[3]) * minuteMs < before - minuteMs) await foldAll(String(key[2]), before);
      }
  }

  async function foldAll(accountId: string, before: number): Promise<void> {
    const onUnreadable = (error: Error): void =>
      onError(error, { account_id: accountId, code: "ledger_not_folded" });
    let limit = maximumFolded;
    for (let commits = 0; commits < maximumCommits && !isStopped; commits++) {
      const options = { accountId, before, now: clock.now(), limit, onUnreadable };
      const folded = await foldLedger(store, options);
      if (folded === "done") return;
      // Results that arrive all the time must not keep the other sums.
      limit = folded === "more" ? maximumFolded : Math.ceil(limit / 4);
      await nextTurn();
    }
  }

  function schedule(): void {
    cancelTimer = clock.schedule(() => void run(), minuteMs);
  }

  async function run(): Promise<void> {
    try {
      await turn();
    } catch (error) {
      if (!isStopped) onError(error, { code: "ledger_not_folded" });
    }
    if (!isStopped) schedule();
  }

  return {
    start: schedule,
    stop(): void {
      isStopped = true;
      cancelTimer();
    },
    /** Results of an account were recorded. */
    note(accountId: string, count: number): void {
      results.set(accountId, (results.get(accountId) ?? 0) + count);
    },
  };
}
