import type { Cluster, Redis } from "ioredis";
import type { EncodedArguments } from "./argument-writer.ts";
import type { CreateCommand } from "./commands-of.ts";
import type { DownReason } from "./down-reason.ts";
import { isCluster } from "./is-cluster.ts";
import {
  isConnectionLost,
  isNotSent,
  isReplicaNow,
  redisFault,
  redisSilent,
  redisUnreachable,
} from "./redis-fault.ts";

/** Sends commands. Those of one turn of the event loop travel together; each has its answer, or a fault, within the time-out. */
export interface Link {
  /**
   * @param rest further arguments, which must stay as they are until the answer comes; without one they may be on their way for ever
   * @throws {StorageError} `unavailable`; the cause of a refusal by Redis is its reply
   */
  send(command: string, values: readonly string[], rest?: EncodedArguments): Promise<unknown>;
  /** As {@link Link.send}, for commands that change nothing: what a broken connection leaves open is asked once more. */
  read(command: string, values: readonly string[], rest?: EncodedArguments): Promise<unknown>;
  /** Calls `prepare` once, right before the next commands are sent: for those who collect what they send. */
  beforeFlush(prepare: () => void): void;
  /** Resolves when nothing is under way any more, what is still being collected included. */
  settled(): Promise<void>;
  /** Ends the connection; what is under way is refused. */
  close(): void;
}

export interface LinkOptions {
  readonly client: Redis | Cluster;
  readonly createCommand: CreateCommand;
  /** The server's address, without credentials. */
  readonly place: string;
  readonly downReason: DownReason;
  readonly timeoutMs: number;
}

interface Pending {
  readonly command: string;
  readonly values: readonly string[];
  readonly rest: EncodedArguments | undefined;
  /** Once more, should its connection be lost: more often it may be what loses it. */
  mayAskAgain: boolean;
  /** It has been handed to ioredis, so Redis may have it, and carry it out still. */
  isUnderWay: boolean;
  readonly deadline: number;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export function createLink({ client, createCommand, place, downReason, timeoutMs }: LinkOptions): Link {
  /** In the order in which they were asked for, so in that of their deadlines. */
  const pending = new Set<Pending>();
  let unsent: Pending[] = [];
  let preparations: (() => void)[] = [];
  let isFlushPlanned = false;
  let closed = false;
  let downSince: number | undefined = client.status === "ready" ? undefined : performance.now();
  let deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  let renewedAt = 0;
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

  function planFlush(): void {
    if (isFlushPlanned) return;
    isFlushPlanned = true;
    setImmediate(() => {
      isFlushPlanned = false;
      flush();
    });
  }

  function flush(): void {
    const prepared = preparations;
    preparations = [];
    for (const prepare of prepared) prepare();
    if (client.status === "ready") {
      const batch = unsent.filter((one) => pending.has(one));
      unsent = [];
      write(batch);
      return;
    }
    // A short absence is waited for; in a long one nobody should wait for what is not there.
    if (downSince === undefined || performance.now() - downSince < timeoutMs) return;
    for (const one of unsent.splice(0)) fail(one, redisUnreachable(place, downReason.last));
  }

  /**
   * A connection breaks a moment before its client says so. What meets that moment has not left this process: it waits for the
   * next connection like what comes after it, for as long as it has.
   */
  function refuse(one: Pending, error: unknown): void {
    // The connection is closed for it, and what else is under way should say why.
    if (!client.isCluster && isReplicaNow(error)) downReason.note(error);
    const isOnItsWayBack = !closed && client.status !== "end";
    if (isOnItsWayBack && isNotSent(error)) putBack(one);
    else if (isOnItsWayBack && client.status !== "ready" && one.mayAskAgain && isConnectionLost(error)) {
      one.mayAskAgain = false;
      putBack(one);
    } else fail(one, redisFault(place, error, downReason.last));
  }

  function putBack(one: Pending): void {
    one.isUnderWay = false;
    unsent.push(one);
  }

  function write(batch: readonly Pending[]): void {
    // In one piece, where all go to one server.
    const stream = isCluster(client) ? undefined : client.stream;
    stream?.cork();
    // Each is told of its own reply: one that is quickly read need not wait for a large commit behind it.
    for (const one of batch) {
      one.isUnderWay = true;
      send(one).then(
        (reply) => settle(one, () => one.resolve(reply)),
        (error: unknown) => refuse(one, error),
      );
    }
    stream?.uncork();
  }

  /** Rejects where the client throws, as one may that somebody has wrapped. */
  async function send({ command, values, rest }: Pending): Promise<unknown> {
    return client.sendCommand(createCommand(command, values, rest));
  }

  function watchDeadlines(): void {
    if (deadlineTimer !== undefined) return;
    const [oldest] = pending;
    if (oldest === undefined) return;
    // Not in the way of a process that wants to end: a command under way holds its socket, which does.
    deadlineTimer = setTimeout(
      () => {
        deadlineTimer = undefined;
        expire();
        watchDeadlines();
      },
      Math.max(50, oldest.deadline - performance.now()),
    ).unref();
  }

  function expire(): void {
    const now = performance.now();
    let isSilent = false;
    for (const one of pending) {
      if (one.deadline > now) break;
      isSilent = true;
      fail(
        one,
        one.isUnderWay || downSince === undefined
          ? redisSilent(place, timeoutMs)
          : redisUnreachable(place, downReason.last),
      );
    }
    if (isSilent) renew(now);
  }

  /**
   * A server that is silent on an open connection may be gone for good, and TCP would not notice for minutes. Of a Cluster it is
   * one node among others: that one's connection has a time-out of its own. So has one that is being made; and what is given up
   * while Sentinels are asked, ioredis never tries again.
   */
  function renew(now: number): void {
    if (client.isCluster || closed || client.status === "connecting" || now - renewedAt < timeoutMs) return;
    renewedAt = now;
    downSince ??= now;
    client.disconnect(true);
  }

  function ask(
    command: string,
    values: readonly string[],
    {
      changesNothing,
      rest,
    }: { readonly changesNothing: boolean; readonly rest?: EncodedArguments | undefined },
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const now = performance.now();
      // Whether it was carried out nobody knows, and nobody cares. A Cluster finds another node by itself.
      const mayAskAgain = changesNothing && !client.isCluster;
      const deadline = now + timeoutMs;
      const one: Pending = {
        command,
        values,
        rest,
        mayAskAgain,
        isUnderWay: false,
        deadline,
        resolve,
        reject,
      };
      pending.add(one);
      if (closed || (downSince !== undefined && now - downSince >= timeoutMs)) {
        fail(one, redisUnreachable(place, downReason.last));
        if (!closed) renew(now);
        return;
      }
      unsent.push(one);
      watchDeadlines();
      planFlush();
    });
  }

  return {
    send: (command, values, rest) => ask(command, values, { changesNothing: false, rest }),
    read: (command, values, rest) => ask(command, values, { changesNothing: true, rest }),
    beforeFlush(prepare) {
      preparations.push(prepare);
      planFlush();
    },
    async settled() {
      flush();
      // Some who have their answer ask on at once: with a script that the server does not know, or for an empty text.
      while (pending.size > 0) await new Promise<void>((resolve) => whenSettled.push(resolve));
    },
    close() {
      closed = true;
      clearTimeout(deadlineTimer);
      client.disconnect();
      for (const one of pending) fail(one, redisUnreachable(place, downReason.last));
    },
  };
}
