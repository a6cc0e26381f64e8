import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";

export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** Closes all connections. */
  cut(): void;
}

/** Decides about some bytes of a connection: false drops them. It may also close the connection. */
type Filter = (bytes: Buffer, client: Socket) => boolean;

/** A proxy to a port of this machine. */
export async function startTcpProxy(
  to: number,
  { request = () => true, reply = () => true }: { readonly request?: Filter; readonly reply?: Filter },
): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(to, "127.0.0.1");
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client) && server.destroy());
    server.on("error", () => {}).on("close", () => client.destroy());
    client.on("data", (bytes: Buffer) => request(bytes, client) && server.write(bytes));
    server.on("data", (bytes: Buffer) => reply(bytes, client) && client.write(bytes));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const cut = (): void => clients.forEach((client) => client.destroy());
  const address = proxy.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(proxy, "close");
      proxy.close();
      cut();
      await closed;
    },
  };
}
