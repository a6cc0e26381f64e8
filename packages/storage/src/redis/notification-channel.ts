import type { Redis } from "ioredis";
import { readNotificationMessage } from "../commit/notification-message.ts";
import { createWatchers } from "../commit/watchers.ts";
import type { Key, NotificationListener } from "../port.ts";
import type { Subscriber, SubscriberEvents } from "./subscriber.ts";

/** Notifications between processes, by publish and subscribe. Redis drops what it publishes while a connection is lost. */
export interface NotificationChannel {
  watch(listener: NotificationListener): () => void;
  /** Calls the listeners of this process. */
  notifyHere(keys: readonly Key[]): void;
  close(): void;
}

/** All commits of all partitions publish here. */
export function channelOf(prefix: string): string {
  return `${prefix}:notifications`;
}

export function createNotificationChannel(options: {
  /** Called by the first watch. */
  readonly openSubscriber: (events: SubscriberEvents) => Subscriber;
  readonly name: string;
  /** Names this process. Its own messages are ignored. */
  readonly sender: string;
}): NotificationChannel {
  const { openSubscriber, name, sender } = options;
  const watchers = createWatchers({
    onFirst() {
      // A new connection subscribes when it is ready.
      if (subscriber === undefined) subscriber = openSubscriber(events);
      else startOrStop();
    },
    onLast: startOrStop,
  });
  let subscriber: Subscriber | undefined;

  const events: SubscriberEvents = {
    onReady(connection) {
      if (!watchers.isEmpty()) subscribe(connection);
    },
    onMessage(message) {
      // Another process tried its right to publish.
      if (message === "") return;
      const { sender: from, keys } = readNotificationMessage(message);
      if (from !== sender) watchers.notify(keys);
    },
  };

  function subscribe(connection: Redis): void {
    connection
      .subscribe(name)
      // Messages from before it are lost: since the watch, or since the last connection.
      .then(() => watchers.notify(undefined))
      // Redis rejected it, for example by an ACL. Watchers poll, and the next connection tries again.
      .catch(() => {});
  }

  function startOrStop(): void {
    const connection = subscriber?.connection;
    if (connection === undefined) return;
    if (watchers.isEmpty()) connection.unsubscribe(name).catch(() => {});
    else subscribe(connection);
  }

  return {
    watch: watchers.watch,
    notifyHere: watchers.notify,
    close: () => subscriber?.close(),
  };
}
