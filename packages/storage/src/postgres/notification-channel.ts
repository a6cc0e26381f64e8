import { readNotificationMessage } from "../commit/notification-message.ts";
import { createWatchers } from "../commit/watchers.ts";
import type { Key, NotificationListener } from "../port.ts";
import type { CheckedOut, Link } from "./link.ts";
import { runStatement } from "./statement.ts";

/** Notifications between processes, by LISTEN and NOTIFY. PostgreSQL drops them while there is no connection. */
export interface NotificationChannel {
  watch(listener: NotificationListener): () => void;
  /** Calls the listeners of this process. */
  notifyHere(keys: readonly Key[]): void;
  close(): void;
}

const retryDelayMs = 250;
const heartbeatMs = 10_000;

/** While somebody watches, the channel keeps one connection of the pool. */
export function createNotificationChannel(options: {
  readonly link: Link;
  /** The name of the channel, which needs no quotes. */
  readonly name: string;
  /** Names this process. Its own messages are ignored. */
  readonly sender: string;
  readonly timeoutMs: number;
}): NotificationChannel {
  const { link, name, sender, timeoutMs } = options;
  const watchers = createWatchers({ onFirst: open, onLast: stop });
  let connection: Disposable | undefined;
  let isOpening = false;
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isNeeded = (): boolean => !isClosed && !watchers.isEmpty();

  function open(): void {
    if (isOpening || connection !== undefined || !isNeeded()) return;
    isOpening = true;
    clearTimeout(timer);
    link.checkOut().then(subscribe, openLater);
  }

  function openLater(): void {
    isOpening = false;
    connection = undefined;
    if (isNeeded()) timer = setTimeout(open, retryDelayMs).unref();
  }

  function subscribe(checkedOut: CheckedOut): void {
    const opened = listen(checkedOut, {
      name,
      timeoutMs,
      onMessage(message) {
        const { sender: from, keys } = readNotificationMessage(message);
        if (from !== sender) watchers.notify(keys);
      },
      // Messages from before it are lost: since the watch, or since the last connection.
      onReady: () => watchers.notify(undefined),
      onLost: openLater,
    });
    isOpening = false;
    connection = opened;
    if (!isNeeded()) stop();
  }

  function stop(): void {
    clearTimeout(timer);
    connection?.[Symbol.dispose]();
    connection = undefined;
  }

  return {
    watch: watchers.watch,
    notifyHere: watchers.notify,
    close() {
      isClosed = true;
      stop();
    },
  };
}

/** Listens on a connection until it is lost or disposed. Then the connection is closed. */
function listen(
  { client, release }: CheckedOut,
  options: {
    readonly name: string;
    readonly timeoutMs: number;
    readonly onMessage: (message: string) => void;
    readonly onReady: () => void;
    readonly onLost: () => void;
  },
): Disposable {
  const { name, timeoutMs, onMessage, onReady, onLost } = options;
  let isOpen = true;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(heartbeat);
    client.off("notification", receive);
    client.off("error", lose);
    client.off("end", lose);
    // A connection that listens must not return to the pool.
    release(true);
  }

  function lose(): void {
    if (!isOpen) return;
    end();
    onLost();
  }

  function receive({ payload = "" }: { readonly payload?: string | undefined }): void {
    onMessage(payload);
  }

  const run = (text: string) => runStatement(client, text, [], timeoutMs);
  // An idle connection does not notice that its server is gone.
  const heartbeat = setInterval(() => void run("select 1").catch(lose), heartbeatMs).unref();
  client.on("error", lose);
  client.on("end", lose);
  client.on("notification", receive);
  run(`listen ${name}`).then(() => {
    if (isOpen) onReady();
  }, lose);
  return { [Symbol.dispose]: end };
}
