import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readSync, watch, writeSync } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createWokenKeys } from "../commit/woken-keys.ts";
import type { WokenKeys } from "../commit/woken-keys.ts";
import { partitions } from "../port.ts";
import type { Key } from "../port.ts";
import { markBytes, openWakeLog } from "./wake-log.ts";
import type { WakeLog } from "./wake-log.ts";
import { makeWholeFile } from "./whole-file.ts";

/** How the processes that have a directory open wake each other up. */
export interface WakeFile {
  /** Tells all of a commit with `wake` in the partition, once it is on the disk: that something is new beneath these keys, or anywhere. */
  tell(partition: string, beneath?: readonly Key[]): void;
  /** From now on calls back with each partition of which a process has told, this one too, and beneath which keys, if all have said so. Once is enough. */
  listen(): void;
  close(): void;
}

/** Where the system tells nobody of a write (it has run out of watches, say), it is found within this time. */
const lookEveryMs = 1_000;

/**
 * A file with a mark for each partition. Whoever tells of a commit writes a new one at random, and whoever listens compares it
 * with the one it has seen last: nobody reads before writing, so what two processes write at once wakes everybody too. For the same
 * reason nobody passes over its own. A commit becomes visible before its mark is written, so whoever is woken finds it. The marks mean
 * nothing to a process that was not there: they are never flushed.
 *
 * What has no room in a mark stands in a log beside it (`wake-log.ts`): each line has the mark that is written after it. Whoever finds a mark
 * without its line takes anything for new: it is of a process that has no log, say, or of two that wrote at once and in another order.
 */
export function openWakeFile({
  directory,
  onWake,
  watchFile = watchWithSystem,
}: {
  readonly directory: string;
  readonly onWake: (partition: string, beneath: readonly Key[] | undefined) => void;
  /** Calls back soon after the file was written. @default as the system tells */
  readonly watchFile?: typeof watchWithSystem | undefined;
}): WakeFile {
  const path = join(directory, "wakes");
  const seen = Buffer.alloc(partitions.length * markBytes);
  const read = Buffer.alloc(seen.length);
  const mark = Buffer.alloc(markBytes);
  const file = open(path, seen);
  const log = file === undefined ? undefined : openLog(`${path}-log`);
  /** Of lines that were read: what they say and nobody was told yet, and the marks that were not seen yet, for these are written after them. */
  const pending = new Map<string, { marks: string[]; keys: WokenKeys }>();
  /** Partitions of which lines may be gone: with their next mark anything is taken for new. */
  const doubtful = new Set<string>();
  /** Partitions of which this process could not add a line: the next one says no keys. */
  const unsaid = new Set<string>();
  let isClosed = false;
  let watcher: Pick<FSWatcher, "close"> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (!readInto(read) || read.equals(seen)) return;
    readLines();
    for (const [index, partition] of partitions.entries()) {
      const [from, to] = [index * markBytes, (index + 1) * markBytes];
      if (read.compare(seen, from, to, from, to) === 0) continue;
      read.copy(seen, from, from, to);
      follow(partition, read.toString("hex", from, to));
    }
  }

  function follow(partition: string, seenMark: string): void {
    const told = pending.get(partition);
    const place = told?.marks.indexOf(seenMark) ?? -1;
    if (doubtful.delete(partition) || told === undefined || place === -1) {
      pending.delete(partition);
      return onWake(partition, undefined);
    }
    const beneath = told.keys.joined();
    // Those behind it come in a moment: what their lines say is told now.
    told.marks = told.marks.slice(place + 1);
    told.keys = createWokenKeys();
    if (beneath?.length !== 0) onWake(partition, beneath);
  }

  function readLines(): void {
    const lines = useLog((opened) => opened.read());
    // Some may be gone, also of marks that are still to come: what is left of them says less than these do.
    if (lines === undefined) for (const partition of partitions) doubtful.add(partition);
    for (const { mark, partition, beneath } of lines ?? []) {
      if (!partitions.includes(partition)) continue;
      const told = pending.get(partition) ?? { marks: [], keys: createWokenKeys() };
      pending.set(partition, told);
      told.marks.push(mark);
      told.keys.add(beneath);
    }
  }

  /** Nothing where there is no log, or a disk that fails: then a mark has no line, and anything is taken for new. */
  function useLog<Result>(use: (opened: WakeLog) => Result): Result | undefined {
    try {
      return log === undefined ? undefined : use(log);
    } catch {
      return undefined;
    }
  }

  /** A disk that cannot be read is told of by whoever asks for data; what was told meanwhile is found by the next look. */
  function readInto(marks: Buffer): boolean {
    if (isClosed || file === undefined) return false;
    // Marks that nobody has written yet are zeros.
    marks.fill(0);
    try {
      readSync(file, marks, 0, marks.length, 0);
      return true;
    } catch {
      return false;
    }
  }

  return {
    tell(partition, beneath) {
      const index = partitions.indexOf(partition);
      if (isClosed || file === undefined || index === -1) return;
      const lineMark = useLog((opened) => opened.add(partition, unsaid.has(partition) ? undefined : beneath));
      if (lineMark === undefined) unsaid.add(partition);
      else unsaid.delete(partition);
      try {
        writeSync(file, lineMark ?? randomFillSync(mark), 0, markBytes, index * markBytes);
      } catch {
        // The commit is on the disk all the same, and others look for what they were not told of.
      }
    },
    listen() {
      if (timer !== undefined || isClosed || file === undefined) return;
      useLog((opened) => opened.skip());
      readInto(seen);
      timer = setInterval(look, lookEveryMs).unref();
      watcher = watchFile(path, look);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      watcher?.close();
      if (file !== undefined) closeSync(file);
      log?.close();
    },
  };
}

/** Nothing where it cannot be used: what other processes publish is delivered later then, which is no reason to serve nobody. */
function open(path: string, { length }: Buffer): number | undefined {
  try {
    makeWholeFile(path, length);
    return openSync(path, "r+");
  } catch (cause) {
    warn(path, "what another process publishes is delivered up to ten seconds later or so", cause);
    return undefined;
  }
}

function openLog(path: string): WakeLog | undefined {
  try {
    return openWakeLog(path);
  } catch (cause) {
    warn(
      path,
      "where much is waiting, each publish of another process costs a look through all of it",
      cause,
    );
    return undefined;
  }
}

function warn(path: string, consequence: string, cause: unknown): void {
  const reason = cause instanceof Error ? cause.message : String(cause);
  process.emitWarning(
    `The file ${path} cannot be used: ${consequence}. Let this process read and write it. (${reason})`,
    { code: "HOOKWRIGHT_WAKES_UNUSABLE" },
  );
}

/** Nothing where the system has no watch to give, or takes it back: there is the look once in a second. */
function watchWithSystem(path: string, onChange: () => void): Pick<FSWatcher, "close"> | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
