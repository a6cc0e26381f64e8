import { connect } from "node:net";

export interface Refused {
  /** The status of every response on the connection. */
  readonly statuses: readonly string[];
  readonly connection: string | undefined;
  /** The body of the last response. */
  readonly body: string;
}

interface OversizedBody {
  readonly apiKey?: string;
  /** `headers` sends no body. `length` and `chunked` send the body and another request. */
  readonly sent: "headers" | "length" | "chunked";
}

const length = 4 * 2 ** 20;

/** Sends an oversized body over a raw socket. Resolves after the server has closed the connection. */
export function postOversizedBody(url: string, { apiKey = "", sent }: OversizedBody): Promise<Refused> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const finish = (): void => {
      socket.destroy();
      const connection = /^connection: (\S+)/imu.exec(received)?.[1];
      const body = received.slice(received.lastIndexOf("\r\n\r\n") + 4);
      resolve({ statuses: received.match(/(?<=HTTP\/1\.1 )\d+/gu) ?? [], connection, body });
    };
    socket.setEncoding("utf8").on("data", (text: string) => void (received += text));
    socket.once("end", finish).on("error", finish);
    const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json`;
    const framing = sent === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
    socket.write(`POST ${pathname} HTTP/1.1\r\n${headers}\r\n${framing}\r\n\r\n`);
    if (sent === "headers") return;
    if (sent === "chunked") socket.write(`${length.toString(16)}\r\n`);
    socket.write(Buffer.alloc(length, "a"));
    if (sent === "chunked") socket.write("\r\n0\r\n\r\n");
    socket.write(`GET ${pathname} HTTP/1.1\r\n${headers}\r\n\r\n`);
  });
}
