import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import { readWakeMessage, writeWakeMessage } from "../commit/wake-message.ts";
import type { Key } from "../port.ts";

/** What the wake-ups of a directory say: which of the keys in a partition have something new beneath them. */
export interface WakeLog {
  /**
   * Adds a line, and answers its mark: eight bytes that no other has.
   *
   * @throws Error where the disk does not take it
   */
  add(partition: string, beneath: readonly Key[] | undefined): Buffer;
  /** Passes over what is there by now. */
  skip(): void;
  /** The lines since the last call; nothing where some of them may be gone. */
  read(): readonly WakeLine[] | undefined;
  close(): void;
}

export interface WakeLine {
  /** In hexadecimal digits. */
  readonly mark: string;
  readonly partition: string;
  readonly beneath: readonly Key[] | undefined;
}

/** Whoever adds a line to more than that begins anew. */
export const mostLogBytes = 256 * 1024;
export const markBytes = 8;
const newline = 0x0a;

/**
 * A file that lines are added to, each with one write that the system carries out at its end, whoever else writes: so none is lost for
 * another of the same moment. A line begins with its mark, and so does the file: one that begins with another was begun anew. It is never flushed.
 *
 * @throws Error where the file cannot be used
 */
export function openWakeLog(path: string): WakeLog {
  const file = openSync(path, "a+", 0o600);
  /** How far it was read, and the mark that it began with then. */
  let readTo = 0;
  let beginning = "";

  function append(text: string): Buffer {
    const mark = randomBytes(markBytes);
    const line = Buffer.from(`${mark.toString("hex")} ${text}\n`);
    const written = writeSync(file, line);
    if (written === line.length) return mark;
    // A disk that is full took the beginning: what follows must not become part of it.
    writeSync(file, "\n");
    throw new Error(`only ${written} of ${line.length} bytes were written`);
  }

  function readAt(position: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, position));
  }

  const currentBeginning = (): string => readAt(0, 2 * markBytes).toString("latin1");

  function skip(): void {
    // What was read of an empty file could be of whatever it begins with later.
    if (fstatSync(file).size === 0) append("");
    beginning = currentBeginning();
    readTo = fstatSync(file).size;
  }

  return {
    add(partition, beneath) {
      // Of a file that is open for adding to Windows takes nothing away.
      if (fstatSync(file).size > mostLogBytes) truncateSync(path);
      return append(writeWakeMessage({ name: partition, beneath }));
    },
    skip,
    read() {
      const length = Math.max(0, fstatSync(file).size - readTo);
      const isReadable = length <= mostLogBytes * 2;
      const added = readAt(readTo, isReadable ? length : 0);
      // Looked at afterwards: it may have been begun anew while it was read.
      if (!isReadable || added.length < length || currentBeginning() !== beginning) {
        skip();
        return undefined;
      }
      // The last line may not be there whole.
      const end = added.lastIndexOf(newline) + 1;
      readTo += end;
      const lines = added.toString("utf8", 0, end).split("\n");
      return lines.filter((line) => line !== "").map(readLine);
    },
    close: () => closeSync(file),
  };
}

function readLine(line: string): WakeLine {
  const [mark, text] = [line.slice(0, 2 * markBytes), line.slice(2 * markBytes + 1)];
  const { name: partition, beneath } = readWakeMessage(text);
  return { mark, partition, beneath };
}
