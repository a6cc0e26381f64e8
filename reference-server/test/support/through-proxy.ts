import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import type { Proxy } from "./proxies.ts";

export interface ProxyRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Announces a body of this length and sends nothing of it. */
  readonly announcedLength?: number;
  /** The address of the client. All of 127.0.0.0/8 are addresses of this machine. @default "127.0.0.1" */
  readonly from?: string;
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Sends a request through TLS and reads the response. The path is sent as it is. */
export async function send(proxy: Proxy, path: string, options: ProxyRequest = {}): Promise<ProxyResponse> {
  const response = await open(proxy, path, options);
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

/** As `send`, but resolves with the headers. */
export async function open(
  { httpsPort, ca }: Proxy,
  path: string,
  { method = "GET", headers = {}, body, announcedLength, from = "127.0.0.1" }: ProxyRequest,
): Promise<IncomingMessage> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const length = announcedLength ?? (content === undefined ? undefined : Buffer.byteLength(content));
  const sent = request({
    host: "127.0.0.1",
    port: httpsPort,
    servername: "localhost",
    localAddress: from,
    path,
    method,
    ca,
    agent: false,
    headers: {
      host: `localhost:${httpsPort}`,
      ...(length === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(length) }),
      ...headers,
    },
  });
  if (announcedLength === undefined) sent.end(content);
  else sent.flushHeaders();
  const [response] = await once(sent, "response");
  // The body was never sent, so the proxy may end the connection.
  sent.on("error", () => {});
  return response;
}
