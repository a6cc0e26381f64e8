import { connect } from "node:net";
import { onMessages } from "./http-messages.ts";

export interface HttpLoad {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
}

const connections = 32;

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
  const play = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, noDelay: true });
      const go = (): void => {
        if ((started += 1) <= count) socket.write(request);
        else socket.end(resolve);
      };
      socket.on("connect", go);
      socket.on("error", reject);
      onMessages(socket, (head, body) => {
        if (head.startsWith("HTTP/1.1 200")) go();
        else socket.destroy(new Error(`unexpected response: ${head}\n${body.toString()}`));
      });
    });
  using _ = stayAwake();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, play));
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
