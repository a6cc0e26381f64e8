import { connect } from "node:net";
import type { Socket } from "node:net";
import { onMessages } from "./http-messages.ts";
import { monotonicMs } from "./monotonic-clock.ts";

export interface Publisher extends Disposable {
  /**
   * Publishes events, each with one delivery. Returns the delivery ids in order.
   *
   * @throws Error if the server refuses an event
   */
  publish(events: readonly unknown[]): Promise<readonly string[]>;
}

/** A server closes connections that were idle for five seconds. A connection is not reused shortly before that. */
const longestIdleMs = 2_500;

/**
 * A host that publishes over a few reused connections. It creates little garbage, because collecting it would distort
 * the results.
 */
export function createPublisher(url: string, token: string): Publisher {
  const { hostname, port, host } = new URL(url);
  const lines = `POST /host/v1/events HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  const all = new Set<Connection>();
  const free: Connection[] = [];

  function open(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection: Connection = { socket, under: undefined, idleSince: 0 };
    const end = (error: Error): void => {
      all.delete(connection);
      if (free.includes(connection)) free.splice(free.indexOf(connection), 1);
      connection.under?.reject(error);
    };
    socket.on("error", end);
    socket.on("close", () => end(new Error("the server closed a connection without a response")));
    onMessages(socket, (head, body) => {
      const { under } = connection;
      connection.under = undefined;
      connection.idleSince = monotonicMs();
      free.push(connection);
      try {
        under?.resolve(deliveriesOf(head, body));
      } catch (error) {
        under?.reject(error);
      }
    });
    all.add(connection);
    return connection;
  }

  /** Takes the connection that was used last. If it was idle for too long, so were all others. */
  function takeFree(): Connection | undefined {
    const connection = free.pop();
    if (connection === undefined || monotonicMs() - connection.idleSince <= longestIdleMs) return connection;
    for (const { socket } of [connection, ...free.splice(0)]) socket.destroy();
    return undefined;
  }

  return {
    publish(events) {
      const body = JSON.stringify(events);
      const connection = takeFree() ?? open();
      return new Promise((resolve, reject) => {
        connection.under = { resolve, reject };
        connection.socket.write(`${lines}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      });
    },
    [Symbol.dispose]() {
      for (const { socket } of all) socket.destroy();
    },
  };
}

interface Connection {
  readonly socket: Socket;
  /** The request that waits for its response. */
  under:
    | { readonly resolve: (deliveries: readonly string[]) => void; readonly reject: (error: unknown) => void }
    | undefined;
  idleSince: number;
}

function deliveriesOf(head: string, body: Buffer): readonly string[] {
  const text = body.toString("utf8");
  const { data }: { readonly data?: readonly { readonly deliveries?: readonly string[] }[] } =
    JSON.parse(text);
  const deliveries = Array.isArray(data) ? data.map((published) => published.deliveries) : [];
  if (deliveries.length > 0 && deliveries.every((ids) => ids?.length === 1))
    return deliveries.flatMap((ids) => ids ?? []);
  throw new Error(`expected one delivery per event: ${head}\n${text}`);
}
