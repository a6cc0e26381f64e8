import { spawn } from "node:child_process";
import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import { isatty } from "node:tty";
import { ownError } from "../cli-error.ts";
import { escapeControls, toSafeJson } from "./escape-controls.ts";

/** Standard output of the process. */
export interface StandardOutput {
  /** Writes a line. If it cannot be written, `finish` returns 1. */
  print(text: string): void;
  /** Writes a line whose loss is no failure, such as one of a log. */
  log(text: string): void;
  /** Writes a text without a line end. Rejects if it cannot be written. */
  write(text: string): Promise<void>;
  /** Calls the listener once when nobody reads the output any more, or when it cannot be written. */
  onEnd(listener: () => void): void;
  /** Waits until everything is written. Returns the exit status: 1 in place of 0 if something could not be written. */
  finish(status: number): Promise<number>;
}

export interface StandardOutputOptions {
  /** With `--json`, the error is JSON, as all errors are. */
  readonly commandLine: readonly string[];
  /** Writes a line to standard error. */
  readonly complain: (text: string) => void;
}

type Done = (error?: Error | null) => void;

const descriptor = 1;

/**
 * Opens standard output. A reader that has closed the pipe (`| head`) is no failure, but a full disk is one.
 *
 * @example
 * const output = openStandardOutput({ commandLine: process.argv.slice(2), complain: console.error });
 */
export function openStandardOutput({ commandLine, complain }: StandardOutputOptions): StandardOutput {
  const kind = findKind();
  const listeners: (() => void)[] = [];
  let failure: Error | undefined;
  let isEnded = false;
  let unwatch = (): void => {};
  /** Undefined: `process.stdout`. */
  let socket: Socket | undefined;

  const end = (): void => {
    if (isEnded) return;
    isEnded = true;
    for (const listener of listeners) listener();
  };
  const write = (text: string, done: Done): void => {
    if (kind === "file") writeWhole(text, done);
    else (socket ?? process.stdout).write(text, done);
  };
  const watch = (): void => {
    if (kind === "socket") {
      // A second handle for the descriptor would lose events, so this one also writes.
      socket = new Socket({ fd: descriptor, readable: true, writable: true });
      let isOpen = false;
      socket.on("error", end).once("end", () => void (isOpen && end()));
      socket.resume().unref();
      // A service manager may have shut this direction down before the start. The first poll finds that, and it says nothing.
      setImmediate(() => setImmediate(() => (isOpen = true)));
    } else if (kind === "pipe" && process.platform === "linux") unwatch = watchPipe(end);
  };

  return {
    print: (text) =>
      write(`${text}\n`, (error) => {
        if (error === undefined || error === null) return;
        failure ??= error;
        end();
      }),
    log: (text) => write(`${text}\n`, () => {}),
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (error) => (error ? reject(error) : resolve()));
      }),
    onEnd(listener) {
      if (listeners.length === 0) watch();
      listeners.push(listener);
      if (isEnded) listener();
    },
    async finish(status) {
      // `process.exit` alone would lose output that a slow pipe has not taken yet.
      await new Promise((resolve) => {
        write("", resolve);
      });
      unwatch();
      if (failure === undefined || isClosedPipe(failure)) return status;
      const { code, message, exitStatus } = ownError(
        "output_failed",
        `standard output cannot be written: ${failure.message}.`,
        failure,
      );
      complain(
        commandLine.includes("--json")
          ? toSafeJson({ error: { code, message } })
          : `hookwright: ${escapeControls(message)}`,
      );
      return status === 0 ? exitStatus : status;
    },
  };
}

function findKind(): "terminal" | "pipe" | "socket" | "file" {
  if (isatty(descriptor)) return "terminal";
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return "pipe";
  return found.isSocket() ? "socket" : "file";
}

/** On a disk that becomes full, the system writes a part. Streams of Node take this for success. */
function writeWhole(text: string, done: Done): void {
  try {
    for (let rest: Uint8Array = Buffer.from(text); rest.length > 0;)
      rest = rest.subarray(writeSync(descriptor, rest));
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)));
  }
  return done();
}

/**
 * Calls the listener when the reader of the pipe is gone. Node notices this only when it writes, but `tail` of GNU
 * polls its output while it waits. Any other `tail` refuses `--pid` and ends at once, which is ignored.
 */
function watchPipe(listener: () => void): () => void {
  const command = ["-f", "/dev/null", `--pid=${process.pid}`];
  const tail = spawn("tail", command, { stdio: ["ignore", descriptor, "ignore"] });
  tail.on("error", () => {
    // Without this program, the next line finds the closed pipe.
  });
  tail.once("exit", (_, signal) => void (signal === "SIGPIPE" && listener()));
  tail.unref();
  return () => void tail.removeAllListeners("exit").kill("SIGKILL");
}

function isClosedPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === "EPIPE" || error.code === "EOF" || error.code === "ECONNRESET";
}
