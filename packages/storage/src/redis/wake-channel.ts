import type { Cluster, Redis } from "ioredis";
import { createPartitionWatchers } from "../commit/partition-watchers.ts";
import { readWakeMessage, writeWakeMessage } from "../commit/wake-message.ts";
import type { Key, WakeListener } from "../port.ts";

/** Wake-ups between processes, by publish and subscribe: what is published while a connection is away is lost. */
export interface WakeChannel {
  /** What a commit publishes that has something new beneath these keys, or anywhere. */
  messageOf(beneath: readonly Key[] | undefined): string;
  channelOf(partition: string): string;
  watch(partition: string, listener: WakeListener): () => void;
  /** Wakes the listeners of this process, without a detour over Redis. */
  wakeHere(partition: string, beneath: readonly Key[] | undefined): void;
  close(): void;
}

export function createWakeChannel(options: {
  /** Opened by the first watch. A Cluster subscribes beside its commands; a single connection can do only one of both. */
  readonly openSubscriber: () => Redis | Cluster;
  readonly prefix: string;
  /** Names this process, whose own messages come back to it. */
  readonly id: string;
}): WakeChannel {
  const { openSubscriber, prefix, id } = options;
  const watchers = createPartitionWatchers();
  const watches = new Map<string, number>();
  const channelOf = (partition: string): string => `${prefix}:wake:${partition}`;
  let subscriber: Redis | Cluster | undefined;
  /** Whether it has ever listened. What was missed before that is found by the look that follows the first watch, or by a later one. */
  let hasListened = false;
  let closed = false;

  function subscribed(): Redis | Cluster {
    if (subscriber !== undefined) return subscriber;
    const opened = openSubscriber();
    opened.on("message", (channel: string, message: string) => {
      const { name, beneath } = readWakeMessage(message);
      if (name !== id) watchers.wake(channel.slice(-3), beneath);
    });
    opened.on("ready", () => subscribeAgain(opened));
    subscriber = opened;
    return opened;
  }

  /**
   * ioredis would do so by itself; but where that is refused, as by an ACL that was changed, nobody handles the rejection and the
   * process ends, and where the connection is lost before the answer it forgets what it had subscribed to.
   */
  function subscribeAgain(opened: Redis | Cluster): void {
    const watched = [...watches].filter(([, count]) => count > 0).map(([partition]) => partition);
    if (watched.length > 0) quietly(hasListened ? catchUp(opened, watched) : listenTo(opened, watched));
  }

  /** What was published while there was no connection is lost: whoever watches looks for himself. */
  async function catchUp(opened: Redis | Cluster, partitions: readonly string[]): Promise<void> {
    await listenTo(opened, partitions);
    for (const partition of partitions) watchers.wake(partition);
  }

  async function listenTo(opened: Redis | Cluster, partitions: readonly string[]): Promise<void> {
    await opened.subscribe(...partitions.map(channelOf));
    hasListened = true;
  }

  /** A fault here loses wake-ups, which a poll makes good. */
  function quietly(done: Promise<unknown>): void {
    done.catch(() => {});
  }

  return {
    messageOf: (beneath) => writeWakeMessage({ name: id, beneath }),
    channelOf,
    watch(partition, listener) {
      const count = watches.get(partition) ?? 0;
      watches.set(partition, count + 1);
      if (count === 0) quietly(listenTo(subscribed(), [partition]));
      const unwatch = watchers.watch(partition, listener);
      let watching = true;
      return () => {
        if (!watching) return;
        watching = false;
        unwatch();
        const left = (watches.get(partition) ?? 1) - 1;
        watches.set(partition, left);
        if (left === 0 && !closed) quietly(subscribed().unsubscribe(channelOf(partition)));
      };
    },
    wakeHere: watchers.wake,
    close() {
      closed = true;
      subscriber?.disconnect();
    },
  };
}
