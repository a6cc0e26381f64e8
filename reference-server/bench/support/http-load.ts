import { connect } from "node:net";
import type { Socket } from "node:net";

export interface HttpLoad {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
}

const connections = 32;
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Requests one path repeatedly, one request at a time per connection, and returns requests per second. It uses bare
 * sockets, because a client that needs more CPU than the server would measure itself.
 *
 * @throws Error for a response that is not 200
 */
export async function loadHttp({ port, path, headers, count }: HttpLoad): Promise<number> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`);
  let started = 0;
  using _ = stayAwake();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      sendRequest(
        connect({ host: "127.0.0.1", port, noDelay: true }),
        request,
        () => (started += 1) <= count,
      ),
    ),
  );
  return (count / (performance.now() - start)) * 1_000;
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

function sendRequest(socket: Socket, request: Buffer, next: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const go = (): void => {
      if (next()) socket.write(request);
      else socket.end(resolve);
    };
    socket.on("connect", go);
    socket.on("error", reject);
    socket.on("data", (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const end = received.indexOf(headEnd);
      if (end === -1) return;
      const head = received.toString("latin1", 0, end);
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
      if (!head.startsWith("HTTP/1.1 200") || length === undefined) {
        socket.destroy(new Error(`unexpected response: ${received.toString("utf8", 0, 400)}`));
        return;
      }
      if (received.length < end + 4 + Number(length)) return;
      received = Buffer.alloc(0);
      go();
    });
  });
}
