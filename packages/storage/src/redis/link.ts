import type { Cluster, Redis } from "ioredis";
import type { EncodedArguments } from "./argument-writer.ts";
import type { CreateCommand } from "./commands-of.ts";
import type { DownReason } from "./down-reason.ts";
import { isCluster } from "./is-cluster.ts";
import {
  isConnectionLost,
  isNotSent,
  isReplicaError,
  commandError,
  timeoutError,
  unreachableError,
} from "./redis-errors.ts";

/**
 * Sends commands. Commands within one iteration of the event loop are sent together. Each one gets a reply or
 * an error within the time-out.
 */
export interface Link {
  /**
   * @param rest further arguments. They must not change before the reply. If the call fails, they may still
   *   be in use
   * @throws {StorageError} `unavailable`. If Redis rejected the command, its reply is the cause
   */
  send(command: string, values: readonly string[], rest?: EncodedArguments): Promise<unknown>;
  /** Like {@link Link.send}, for read-only commands. Sends them once more if the connection is lost. */
  read(command: string, values: readonly string[], rest?: EncodedArguments): Promise<unknown>;
  /** Calls `prepare` once, directly before the next commands are sent. */
  beforeFlush(prepare: () => void): void;
  /** Resolves when no command is collected or in flight. */
  settled(): Promise<void>;
  /** Closes the connection and rejects commands in flight. */
  close(): void;
}

export interface LinkOptions {
  readonly client: Redis | Cluster;
  readonly createCommand: CreateCommand;
  /** The address of the server, without credentials. */
  readonly serverAddress: string;
  readonly downReason: DownReason;
  readonly timeoutMs: number;
}

interface Pending {
  readonly command: string;
  readonly values: readonly string[];
  readonly rest: EncodedArguments | undefined;
  /**
   * Whether it may be sent again after a lost connection. Only once, because the command itself may cause the
   * loss.
   */
  mayRetry: boolean;
  /** It was passed to ioredis, so Redis may have received it. */
  isSent: boolean;
  readonly deadline: number;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createLink({
  client,
  createCommand,
  serverAddress,
  downReason,
  timeoutMs,
}: LinkOptions): Link {
  /** In the order of the calls, which is also the order of the deadlines. */
  const pending = new Set<Pending>();
  let unsent: Pending[] = [];
  let beforeFlushCallbacks: (() => void)[] = [];
  let isFlushScheduled = false;
  let closed = false;
  let downSince: number | undefined = client.status === "ready" ? undefined : performance.now();
  let deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  let reconnectedAt = 0;
  const whenSettled: (() => void)[] = [];

  client.on("ready", () => {
    downSince = undefined;
    flush();
  });
  client.on("close", () => {
    downSince ??= performance.now();
  });

  function settle(one: Pending, act: () => void): void {
    if (!pending.delete(one)) return;
    act();
    if (pending.size > 0) return;
    for (const resolve of whenSettled.splice(0)) resolve();
  }

  function fail(one: Pending, error: unknown): void {
    settle(one, () => one.reject(error));
  }

  function scheduleFlush(): void {
    if (isFlushScheduled) return;
    isFlushScheduled = true;
    setImmediate(() => {
      isFlushScheduled = false;
      flush();
    });
  }

  function flush(): void {
    const prepared = beforeFlushCallbacks;
    beforeFlushCallbacks = [];
    for (const prepare of prepared) prepare();
    if (client.status === "ready") {
      const batch = unsent.filter((one) => pending.has(one));
      unsent = [];
      write(batch);
      return;
    }
    // Commands wait for a short outage. In a long one they fail at once.
    if (downSince === undefined || performance.now() - downSince < timeoutMs) return;
    for (const one of unsent.splice(0)) fail(one, unreachableError(serverAddress, downReason.last));
  }

  /**
   * A connection breaks slightly before its client notices. Commands that were not sent then wait for the
   * next connection.
   */
  function handleError(one: Pending, error: unknown): void {
    // ioredis closes the connection because of it, and other commands in flight should report the reason.
    if (!client.isCluster && isReplicaError(error)) downReason.note(error);
    const isReconnecting = !closed && client.status !== "end";
    if (isReconnecting && isNotSent(error)) putBack(one);
    else if (isReconnecting && client.status !== "ready" && one.mayRetry && isConnectionLost(error)) {
      one.mayRetry = false;
      putBack(one);
    } else fail(one, commandError(serverAddress, error, downReason.last));
  }

  function putBack(one: Pending): void {
    one.isSent = false;
    unsent.push(one);
  }

  function write(batch: readonly Pending[]): void {
    // Write all commands at once to a single server.
    const stream = isCluster(client) ? undefined : client.stream;
    stream?.cork();
    // Each command settles with its own reply, so a fast read does not wait for a large commit.
    for (const one of batch) {
      one.isSent = true;
      send(one).then(
        (reply) => settle(one, () => one.resolve(reply)),
        (error: unknown) => handleError(one, error),
      );
    }
    stream?.uncork();
  }

  /** Async, so that an error thrown by a wrapped client becomes a rejection. */
  async function send({ command, values, rest }: Pending): Promise<unknown> {
    return client.sendCommand(createCommand(command, values, rest));
  }

  function watchDeadlines(): void {
    if (deadlineTimer !== undefined) return;
    const [oldest] = pending;
    if (oldest === undefined) return;
    // The timer need not keep the process alive: the socket of a command in flight does.
    deadlineTimer = setTimeout(
      () => {
        // After a blocked event loop, timers run before the replies that arrived meanwhile are read.
        setImmediate(() => {
          deadlineTimer = undefined;
          expire();
          watchDeadlines();
        });
      },
      Math.max(50, oldest.deadline - performance.now()),
    ).unref();
  }

  function expire(): void {
    const now = performance.now();
    let hasTimedOut = false;
    for (const one of pending) {
      if (one.deadline > now) break;
      hasTimedOut = true;
      fail(
        one,
        one.isSent || downSince === undefined
          ? timeoutError(serverAddress, timeoutMs)
          : unreachableError(serverAddress, downReason.last),
      );
    }
    if (hasTimedOut) reconnect(now);
  }

  /**
   * Reconnects to a single server that does not reply. It may be gone, and TCP would notice only after
   * minutes.
   * Cluster nodes and new connections have their own time-outs. ioredis never retries a connection that is
   * closed while it asks Sentinels.
   */
  function reconnect(now: number): void {
    if (client.isCluster || closed || client.status === "connecting" || now - reconnectedAt < timeoutMs)
      return;
    reconnectedAt = now;
    downSince ??= now;
    client.disconnect(true);
  }

  function enqueue(
    command: string,
    values: readonly string[],
    { isReadOnly, rest }: { readonly isReadOnly: boolean; readonly rest?: EncodedArguments | undefined },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      // A read may safely run twice. A Cluster client finds another node by itself.
      const mayRetry = isReadOnly && !client.isCluster;
      const deadline = now + timeoutMs;
      const one: Pending = {
        command,
        values,
        rest,
        mayRetry,
        isSent: false,
        deadline,
        resolve,
        reject,
      };
      pending.add(one);
      if (closed || (downSince !== undefined && now - downSince >= timeoutMs)) {
        fail(one, unreachableError(serverAddress, downReason.last));
        if (!closed) reconnect(now);
        return;
      }
      unsent.push(one);
      watchDeadlines();
      scheduleFlush();
    });
  }

  return {
    send: (command, values, rest) => enqueue(command, values, { isReadOnly: false, rest }),
    read: (command, values, rest) => enqueue(command, values, { isReadOnly: true, rest }),
    beforeFlush(prepare) {
      beforeFlushCallbacks.push(prepare);
      scheduleFlush();
    },
    async settled() {
      flush();
      // Some callers send a second command after the first reply, for example for an unknown script.
      while (pending.size > 0) await new Promise<void>((resolve) => whenSettled.push(resolve));
    },
    close() {
      closed = true;
      clearTimeout(deadlineTimer);
      client.disconnect();
      for (const one of pending) fail(one, unreachableError(serverAddress, downReason.last));
    },
  };
}
