import { setImmediate as nextTurn } from "node:timers/promises";
import type { OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { countEntries, listPages } from "@hookwright/storage/sorted-runs";
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

/** Sums of an account that are folded at once. With fewer, they wait until the oldest is old enough. */
const manySums = 500;
const oldestMs = 2 * 60 * minuteMs;
/** All partitions have their turn in so many minutes. */
const roundMinutes = 10;
/** Sums that one commit folds. */
const maximumFolded = 500;
/** Commits for one account in a row. The next turn continues. */
const maximumCommits = 200;
/** After so many, a pause: longer than a read of the ledger, which begins again if a fold happens meanwhile. */
const commitsWithoutPause = 10;
const pauseMs = 2_000;

/** Folds the ledgers of the accounts of this worker, while other work runs. It needs no lease: two workers fold nothing twice. */
export function createBackgroundFolds({ store, clock, held, onError }: BackgroundFoldsOptions) {
  /** Their last fold had many sums, so each turn folds them. */
  const busy = new Set<string>();
  let round: string[] = [];
  let isStopped = false;
  let cancelTimer = (): void => {};
  let endPause = (): void => {};
  let running: Promise<void> = Promise.resolve();

  async function turn(): Promise<void> {
    const accounts = [...busy];
    for (const accountId of accounts) await foldAll(accountId);
    if (round.length === 0) round = [...held()];
    for (const partition of round.splice(0, Math.ceil(held().length / roundMinutes)))
      if (held().includes(partition)) await reportErrors({ partition }, () => foldPartition(partition));
  }

  async function foldPartition(partition: string): Promise<void> {
    for await (const page of listPages(store, { prefix: keys.ledgerSumsIn(partition), groupBy: 1 }))
      for (const { key } of page) {
        if (isStopped) return;
        const accountId = String(key[2]);
        const isOld = Number(key[3]) * minuteMs < clock.now() - oldestMs - minuteMs;
        if (isOld || (await hasMany(accountId))) await foldAll(accountId);
      }
  }

  async function hasMany(accountId: string): Promise<boolean> {
    const count = await countEntries(store, { prefix: keys.ledgerSums(accountId), limit: manySums });
    return count === manySums;
  }

  function foldAll(accountId: string): Promise<void> {
    busy.delete(accountId);
    return reportErrors({ account_id: accountId }, () => foldAccount(accountId));
  }

  async function foldAccount(accountId: string): Promise<void> {
    const before = clock.now();
    const onUnreadable = (error: Error): void =>
      onError(error, { account_id: accountId, code: "ledger_not_folded" });
    let limit = maximumFolded;
    for (let commits = 1; commits <= maximumCommits && !isStopped; commits++) {
      const options = { accountId, before, now: clock.now(), limit, onUnreadable };
      const folded = await foldLedger(store, options);
      if (folded === "done") return;
      busy.add(accountId);
      // Results that arrive all the time must not keep the other sums.
      limit = folded === "more" ? maximumFolded : Math.ceil(limit / 4);
      await (commits % commitsWithoutPause === 0 ? pause() : nextTurn());
    }
  }

  /** An error of one account, or partition, keeps no other one. */
  async function reportErrors(
    of: { readonly partition: string } | { readonly account_id: string },
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isStopped) onError(error, { ...of, code: "ledger_not_folded" });
    }
  }

  async function pause(): Promise<void> {
    if (isStopped) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(resolve, pauseMs);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  function schedule(): void {
    cancelTimer = clock.schedule(() => void (running = run()), minuteMs);
  }

  async function run(): Promise<void> {
    await turn();
    if (!isStopped) schedule();
  }

  return {
    start: schedule,
    /** Resolves when nothing is being folded any more. */
    stop(): Promise<void> {
      isStopped = true;
      cancelTimer();
      endPause();
      return running;
    },
  };
}
