import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { readNotificationMessage, writeNotificationMessage } from "../commit/notification-message.ts";
import type { NotificationMessage } from "../commit/notification-message.ts";
import { createFile } from "./create-file.ts";

/** A file of a directory to which all processes append their notifications. */
export interface NotificationLog {
  /** @throws Error if the disk does not take it */
  append(message: NotificationMessage): void;
  /** Skips what the file contains now. */
  skip(): void;
  /** Returns the messages since the last call, or `undefined` if some of them may be lost. */
  read(): readonly NotificationMessage[] | undefined;
  close(): void;
}

/** A process that appends to a larger file truncates it first. */
export const maxLogBytes = 1024 * 1024;
const markCharacters = 16;
const newline = 0x0a;

/**
 * Opens the file. Each message is one line, written at once, so messages of several processes do not mix.
 * Each line begins with a random mark. If the first mark has changed, the file was truncated. The file is
 * never flushed, because no process reads old lines after a crash.
 *
 * @throws Error if the file cannot be used
 */
export function openNotificationLog(path: string): NotificationLog {
  createFile(path);
  const file = openSync(path, "a+");
  let readTo = 0;
  let firstMark = "";

  function writeLine(text: string): void {
    const line = Buffer.from(`${randomBytes(markCharacters / 2).toString("hex")} ${text}\n`);
    const written = writeSync(file, line);
    if (written === line.length) return;
    // A full disk took the beginning. The next line must not become a part of it.
    writeSync(file, "\n");
    throw new Error(`only ${written} of ${line.length} bytes were written`);
  }

  function readAt(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  }

  const readFirstMark = (): string => readAt(0, markCharacters).toString("latin1");

  function skip(): void {
    // Without a first line, a truncation would not be noticed.
    if (fstatSync(file).size === 0) writeLine("");
    firstMark = readFirstMark();
    readTo = fstatSync(file).size;
  }

  return {
    append(message) {
      // Windows does not truncate a file that is open for appending.
      if (fstatSync(file).size > maxLogBytes) truncateSync(path);
      writeLine(writeNotificationMessage(message));
    },
    skip,
    read() {
      const length = Math.max(0, fstatSync(file).size - readTo);
      const isReadable = length <= maxLogBytes * 2;
      const added = readAt(readTo, isReadable ? length : 0);
      // Compared after the read: another process may truncate the file during it.
      if (!isReadable || added.length < length || readFirstMark() !== firstMark) {
        skip();
        return undefined;
      }
      // The last line may be incomplete.
      const end = added.lastIndexOf(newline) + 1;
      readTo += end;
      const lines = added.toString("utf8", 0, end).split("\n");
      return lines
        .filter((line) => line.length > markCharacters + 1)
        .map((line) => readNotificationMessage(line.slice(markCharacters + 1)));
    },
    close: () => closeSync(file),
  };
}
