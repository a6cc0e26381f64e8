import { connect } from "node:net";
import { onMessages } from "./http-messages.ts";

export interface HttpLoad {
  readonly port: number;
  readonly count: number;
  readonly nextRequest: NextRequest;
}

/** Chooses the next request of a connection by the body of its last response, which is empty at first. */
export type NextRequest = (connection: number, last: Buffer) => Buffer;

interface HttpRequest {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** @default "GET" */
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
}

const connections = 32;

/**
 * Sends one request at a time per connection, and returns requests per second. It uses bare
 * sockets, because a client that needs more CPU than the server would measure itself.
 *
 * @throws Error for a response that is neither 200 nor 201
 */
export async function loadHttp({ port, count, nextRequest }: HttpLoad): Promise<number> {
  let started = 0;
  const play = (connection: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, noDelay: true });
      const go = (last: Buffer): void => {
        if ((started += 1) <= count) socket.write(nextRequest(connection, last));
        else socket.end(resolve);
      };
      socket.on("connect", () => go(Buffer.alloc(0)));
      socket.on("error", reject);
      onMessages(socket, (head, body) => {
        if (/^HTTP\/1\.1 20[01] /u.test(head)) go(body);
        else socket.destroy(new Error(`unexpected response: ${head}\n${body.toString()}`));
      });
    });
  using _ = stayAwake();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => play(connection)));
  return (count / (performance.now() - start)) * 1_000;
}

export function toRequest({ port, headers, method = "GET", path, body }: HttpRequest): Buffer {
  const content =
    body === undefined ? {} : { "content-type": "application/json", "content-length": body.length };
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, ...content }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`);
}

/** Each connection creates a webhook and removes it again. */
export function exchangeWebhooks(server: Pick<HttpRequest, "port" | "headers">): NextRequest {
  return (connection, last) => {
    const text = last.toString();
    const id = /"id":"([^"]+)"/u.exec(text)?.[1];
    if (id !== undefined && !text.includes('"deleted"'))
      return toRequest({ ...server, method: "DELETE", path: `/v1/webhooks/${id}` });
    // A webhook that the last round left is found by its URL.
    const body = JSON.stringify({ event: "order.created", target_url: `https://example.com/${connection}` });
    return toRequest({ ...server, method: "POST", path: "/v1/webhooks", body });
  };
}

/**
 * Keeps the client awake. Waking a sleeping client costs the server CPU time, and would cost the slower server more.
 */
function stayAwake(): Disposable {
  let isAwake = true;
  const turn = (): void => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return {
    [Symbol.dispose]: () => {
      isAwake = false;
    },
  };
}
