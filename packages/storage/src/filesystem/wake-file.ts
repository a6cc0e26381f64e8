import { randomFillSync } from "node:crypto";
import { closeSync, openSync, readSync, watch, writeSync } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { partitions } from "../port.ts";
import { makeWholeFile } from "./whole-file.ts";

/** How the processes that have a directory open wake each other up. */
export interface WakeFile {
  /** Tells all of a commit with `wake` in the partition, once it is on the disk. */
  tell(partition: string): void;
  /** From now on calls back with each partition of which a process has told, this one too. Once is enough. */
  listen(): void;
  close(): void;
}

const markBytes = 8;
/** Where the system tells nobody of a write (it has run out of watches, say), it is found within this time. */
const lookEveryMs = 1_000;

/**
 * A file with a mark for each partition. Whoever tells of a commit writes a new one at random, and whoever listens compares it
 * with the one it has seen last: nobody reads before writing, so what two processes write at once wakes everybody too. For the same
 * reason nobody passes over its own. A commit becomes visible before its mark is written, so whoever is woken finds it. The marks mean
 * nothing to a process that was not there: they are never flushed.
 */
export function openWakeFile({
  directory,
  onWake,
  watchFile = watchWithSystem,
}: {
  readonly directory: string;
  readonly onWake: (partition: string) => void;
  /** Calls back soon after the file was written. @default as the system tells */
  readonly watchFile?: typeof watchWithSystem | undefined;
}): WakeFile {
  const path = join(directory, "wakes");
  const seen = Buffer.alloc(partitions.length * markBytes);
  const read = Buffer.alloc(seen.length);
  const mark = Buffer.alloc(markBytes);
  const file = open(path, seen);
  let isClosed = false;
  let watcher: Pick<FSWatcher, "close"> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (!readInto(read) || read.equals(seen)) return;
    for (const [index, partition] of partitions.entries()) {
      const [from, to] = [index * markBytes, (index + 1) * markBytes];
      if (read.compare(seen, from, to, from, to) === 0) continue;
      read.copy(seen, from, from, to);
      onWake(partition);
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
    tell(partition) {
      const index = partitions.indexOf(partition);
      if (isClosed || file === undefined || index === -1) return;
      randomFillSync(mark);
      try {
        writeSync(file, mark, 0, markBytes, index * markBytes);
      } catch {
        // The commit is on the disk all the same, and others look for what they were not told of.
      }
    },
    listen() {
      if (timer !== undefined || isClosed || file === undefined) return;
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
    },
  };
}

/** Nothing where it cannot be used: what other processes publish is delivered later then, which is no reason to serve nobody. */
function open(path: string, { length }: Buffer): number | undefined {
  try {
    makeWholeFile(path, length);
    return openSync(path, "r+");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    process.emitWarning(
      `The file ${path} cannot be used: what another process publishes is delivered up to ten seconds later or so. Let this process read and write it. (${reason})`,
      { code: "HOOKWRIGHT_WAKES_UNUSABLE" },
    );
    return undefined;
  }
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
