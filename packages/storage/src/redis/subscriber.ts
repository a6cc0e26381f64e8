import type { Cluster, Redis } from "ioredis";
import { isCluster } from "./is-cluster.ts";
import { ignoreLateErrors } from "./ignore-late-errors.ts";

/** A connection for subscriptions. It reconnects when it is lost. */
export interface Subscriber {
  /** The connection, if it is ready. */
  readonly connection: Redis | undefined;
  close(): void;
}

export interface SubscriberEvents {
  /** Called with each new connection. It has no subscriptions. */
  readonly onReady: (connection: Redis) => void;
  readonly onMessage: (message: string) => void;
}

export function openSubscriber(client: Redis | Cluster, events: SubscriberEvents): Subscriber {
  return isCluster(client) ? openToCluster(client, events) : openToServer(client, events);
}

function openToServer(client: Redis, events: SubscriberEvents): Subscriber {
  const connection = connect(client, events, {
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
  });
  return {
    get connection() {
      return connection.status === "ready" ? connection : undefined;
    },
    close: () => connection.disconnect(),
  };
}

/**
 * Connects to any master, because Cluster nodes forward all messages. The subscriber of ioredis is not used:
 * it changes its node silently, so lost notifications would be unnoticed.
 */
function openToCluster(cluster: Cluster, events: SubscriberEvents): Subscriber {
  let connection: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let attempts = 0;

  function open(): void {
    const nodes = cluster.nodes("master");
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (node === undefined) return openLater();
    connection = connect(node, events, {
      retryStrategy: () => null,
      // The connection is idle most of the time.
      socketTimeout: 0,
      enableReadyCheck: true,
    });
    connection.on("ready", () => (attempts = 0));
    connection.on("end", openLater);
  }

  function openLater(): void {
    connection = undefined;
    if (isClosed) return;
    attempts += 1;
    timer = setTimeout(open, Math.min(attempts * 100, 1_000)).unref();
  }

  cluster.on("-node", (removed: Redis) => {
    const { host, port } = connection?.options ?? {};
    if (removed.options.host === host && removed.options.port === port) connection?.disconnect();
  });
  open();
  return {
    get connection() {
      return connection?.status === "ready" ? connection : undefined;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      connection?.disconnect();
    },
  };
}

function connect(
  client: Redis,
  { onReady, onMessage }: SubscriberEvents,
  options: Parameters<Redis["duplicate"]>[0],
): Redis {
  const connection = client.duplicate({
    ...options,
    // `onReady` subscribes and handles a rejection.
    autoResubscribe: false,
    lazyConnect: false,
  });
  // Without a listener ioredis writes each failed attempt to connect to standard error.
  connection.on("error", () => {});
  ignoreLateErrors(connection);
  connection.on("ready", () => onReady(connection));
  connection.on("message", (_channel: string, message: string) => onMessage(message));
  return connection;
}
