import { randomUUID } from "node:crypto";
import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createMergedKeys } from "../commit/merged-keys.ts";
import type { Key } from "../port.ts";
import { explainFileAccess } from "./file-access.ts";
import { openNotificationLog, type NotificationLog } from "./notification-log.ts";

/** Notifications between the processes that have a directory open. */
export interface NotificationFile {
  /** Notifies the other processes of commits that are on the disk. */
  notify(keys: readonly Key[]): void;
  /** Reports notifications of other processes from now on. May be called again. */
  listen(): void;
  close(): void;
}

/** The interval of reads without an event, for example if the system has no file watches left. */
const pollMs = 1_000;

/** The stores of this process in one directory share their watchers. */
const thisProcess = randomUUID();

/**
 * Opens the file `notifications` of a directory. A commit is visible before its notification, so a process that reads after a
 * notification finds it.
 *
 * @param options.onNotify receives keys, or `undefined` if notifications may have been lost
 * @param options.sender names this process. Its own notifications are not reported
 * @param options.watchFile calls back soon after the file was written. @default `fs.watch`
 */
export function openNotificationFile({
  directory,
  onNotify,
  sender = thisProcess,
  watchFile = watchWithSystem,
}: {
  readonly directory: string;
  readonly onNotify: (keys: readonly Key[] | undefined) => void;
  readonly sender?: string | undefined;
  readonly watchFile?: typeof watchWithSystem | undefined;
}): NotificationFile {
  const path = join(directory, "notifications");
  const log = openLog(path);
  /** The next message has no keys then, so that the readers know. */
  let hasLost = false;
  let isClosed = false;
  let watcher: Pick<FSWatcher, "close"> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function readNew(): void {
    if (isClosed || log === undefined) return;
    let messages;
    try {
      messages = log.read();
    } catch {
      // The next read reports what this one did not. A disk that fails is reported by the reads of data.
      return;
    }
    if (messages === undefined) return onNotify(undefined);
    for (const message of messages) if (message.sender !== sender) onNotify(message.keys);
  }

  return {
    notify(keys) {
      if (isClosed || log === undefined) return;
      try {
        const merged = createMergedKeys();
        merged.add(hasLost ? undefined : keys);
        log.append({ sender, keys: merged.merged() });
        hasLost = false;
      } catch {
        // The commit is on the disk. Watchers see it after the next message or poll.
        hasLost = true;
      }
    },
    listen() {
      if (timer !== undefined || isClosed || log === undefined) return;
      try {
        log.skip();
      } catch {
        // Then the first read reports older notifications too.
      }
      timer = setInterval(readNew, pollMs).unref();
      watcher = watchFile(path, readNew);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      watcher?.close();
      log?.close();
    },
  };
}

/** A directory is usable without the file: watchers then find what other processes commit when they poll. */
function openLog(path: string): NotificationLog | undefined {
  try {
    return openNotificationLog(path);
  } catch (cause) {
    const reason =
      explainFileAccess(path) ??
      `Allow this process to read and write the file. (${cause instanceof Error ? cause.message : String(cause)})`;
    process.emitWarning(
      `The file ${path} cannot be used, so this process neither sends nor receives notifications: deliveries that another process publishes can begin some seconds later. ${reason}`,
      { code: "HOOKWRIGHT_NOTIFICATIONS_UNUSABLE" },
    );
    return undefined;
  }
}

/** Returns `undefined` if the system has no watch left. The file is still read every second. */
function watchWithSystem(path: string, onChange: () => void): Pick<FSWatcher, "close"> | undefined {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
