import { judgeCommits } from "../commit/judge-commits.ts";
import type { PreparedCommit } from "../commit/prepare-commit.ts";
import type { Watchers } from "../commit/watchers.ts";
import { toHeld, type RowsInMemory } from "../memory/rows-in-memory.ts";
import type { CommitResult } from "../port.ts";
import { StorageError } from "../storage-error.ts";
import type { Items } from "./items.ts";
import { toLogText, type LogState, type RowChange } from "./log.ts";
import type { Ownership } from "./ownership.ts";

/** Appends commits to the log in groups, one item at a time, and keeps the log short. */
export interface LogWriter {
  /** Resolves when the commit is in the log and visible. */
  commit(prepared: PreparedCommit): Promise<CommitResult>;
  /** Resolves when all commits are settled and nothing is written any more. */
  ended(): Promise<void>;
}

interface Waiting {
  readonly prepared: PreparedCommit;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Limits the size of an item, because drivers hold items in memory. A group has at least one commit. */
const maxCommitsInGroup = 1_000;
const maxGroupSize = 1024 * 1024;
/** Limits the time to open the storage. */
const maxItems = 2_000;
const slicesOfSnapshot = 8;
const removedAtOnce = 16;

/**
 * A change becomes visible when its item is written, so nobody sees a change that may still fail.
 *
 * When the log is long, all rows are copied to its end as a snapshot, slice by slice between the commits. Then the
 * items before the snapshot are removed.
 *
 * @param options.snapshotSize the size of the commits in the log, in characters, from which a snapshot is written
 */
export function createLogWriter(options: {
  readonly items: Items;
  readonly ownership: Ownership;
  readonly state: LogState;
  readonly rows: RowsInMemory;
  readonly watchers: Watchers;
  readonly now: () => number;
  readonly snapshotSize: number;
  readonly onError: (error: unknown) => void;
}): LogWriter {
  const { items, ownership, rows, watchers, now, snapshotSize, onError } = options;
  let names = [...options.state.names];
  let { start, last, itemCount, commitSize, copySize } = options.state;
  let number = 0;
  const waiting: Waiting[] = [];
  /** The snapshot that is being written: its first item, its size, and the encoded key from which it continues. */
  let copying: { start: string | undefined; size: number; from: string } | undefined;
  let running: Promise<void> | undefined;
  let removing: Promise<void> | undefined;
  let isEnding = false;

  async function run(): Promise<void> {
    while (waiting.length > 0 || (copying !== undefined && !isEnding)) {
      // Commits within one iteration of the event loop share an item.
      await new Promise((resolve) => setImmediate(resolve));
      if (waiting.length > 0) await writeGroup(takeGroup());
      if (copying !== undefined) await copySlice(copying).catch(stopCopying);
    }
    running = undefined;
  }

  /** No name is used twice, so a write that arrives late replaces nothing. */
  function nextName(): string {
    return `log:${ownership.session}-${String(++number).padStart(10, "0")}`;
  }

  /** Writes an item, and returns its size. If it fails, the item may exist, but none will follow it. */
  async function append(name: string, changes: readonly RowChange[], isCopy = false, from = start ?? name) {
    names.push(name);
    const text = toLogText({ previous: last, start: from, isCopy, rows: changes });
    await items.write(name, text);
    await ownership.confirm();
    last = name;
    start = from;
    return text.length;
  }

  function takeGroup(): Waiting[] {
    let count = 0;
    for (let size = 0; count < Math.min(waiting.length, maxCommitsInGroup); count++) {
      size += waiting[count]?.prepared.size ?? 0;
      if (count > 0 && size > maxGroupSize) break;
    }
    return waiting.splice(0, count);
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    const { changes, outcomes } = judgeCommits({
      commits: group.map(({ prepared }) => prepared),
      read: (key) => toHeld(rows.partition(key.slice(0, 3)).get(key)),
      now: now(),
    });
    const changed = Array.from(changes, ([key, { held }]) => ({ key, held }));
    try {
      // Without changes, a process that has been taken over must not return a result either.
      if (changed.length === 0) await ownership.confirm();
      else commitSize += await append(nextName(), changed);
    } catch (cause) {
      // Also those whose check failed, because they may depend on changes that are not written.
      for (const { reject } of group) reject(unknownOutcome(cause));
      return;
    }
    for (const { key, held } of changed) rows.apply(key, held);
    group.forEach(({ prepared, resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome instanceof StorageError) return reject(outcome);
      if (outcome.ok && prepared.notify !== undefined) watchers.notify(prepared.notify);
      resolve(outcome);
    });
    itemCount += 1;
    // Many small items make the storage slow to open. Copying a large snapshot for a few of them is slow too.
    const dueSize = Math.max(snapshotSize, copySize / 2);
    const isDue = commitSize >= dueSize || (itemCount >= maxItems && commitSize >= copySize / 8);
    if (!isDue || copying !== undefined) return;
    copying = { start: undefined, size: 0, from: "" };
    [itemCount, commitSize] = [0, 0];
  }

  /** Copies rows as they are at this place of the log, so the copies replace no newer ones. */
  async function copySlice(snapshot: NonNullable<typeof copying>): Promise<void> {
    const copies: RowChange[] = [];
    let size = 0;
    let next: string | undefined;
    rows.visit(snapshot.from, (key, row) => {
      // Copies are as fast as commits, so that a snapshot ends.
      if (size >= snapshotSize / slicesOfSnapshot && snapshot.size + size >= commitSize) next = key;
      else {
        const held = toHeld(row);
        copies.push({ key, held });
        size += key.length + (held?.text.length ?? 0);
      }
      return next === undefined;
    });
    const name = nextName();
    snapshot.start ??= name;
    snapshot.size += await append(name, copies, true, next === undefined ? snapshot.start : undefined);
    if (next !== undefined) {
      snapshot.from = next;
      return;
    }
    copySize = snapshot.size;
    copying = undefined;
    removing = removeOlder().catch(onError);
  }

  /** The next snapshot begins when the log has grown again. */
  function stopCopying(error: unknown): void {
    copying = undefined;
    onError(error);
  }

  async function removeOlder(): Promise<void> {
    const older = names.filter((name) => start !== undefined && name < start);
    for (let at = 0; at < older.length; at += removedAtOnce) {
      const removed = new Set(older.slice(at, at + removedAtOnce));
      await Promise.all(Array.from(removed, (name) => items.remove(name)));
      names = names.filter((name) => !removed.has(name));
    }
  }

  return {
    commit(prepared) {
      return new Promise((resolve, reject) => {
        waiting.push({ prepared, resolve, reject });
        running ??= run();
      });
    },
    async ended() {
      isEnding = true;
      await running;
      await removing;
    },
  };
}

function unknownOutcome(cause: unknown): StorageError {
  const { code, message, reason } =
    cause instanceof StorageError ? cause : new StorageError("unavailable", String(cause), { cause });
  return new StorageError(
    code,
    `${message} The outcome of the commit is unknown: it is not visible now, but may be when the storage is opened again. Read before you repeat it.`,
    { cause, reason },
  );
}
