import { Agent, request } from "node:http";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** The local address of the connection. @default that of the client */
  readonly localAddress?: string;
}

export interface HttpResult {
  /** `undefined` without a complete response. */
  readonly status: number | undefined;
  /** The response body, or the reason why there is none. */
  readonly body: string;
}

export interface HttpClientOptions {
  /** The local address of the connections. */
  readonly localAddress: string;
  /** Reuses connections. If a reused connection breaks, the request is sent once more, as HTTP clients do. */
  readonly keepAlive: boolean;
}

/** Sends one request. It never rejects, because a failure is a result. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResult>;

const timeoutMs = 30_000;

export function createHttpClient(url: string, { localAddress, keepAlive }: HttpClientOptions): SendRequest {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive });

  function send(asked: HttpRequest, deadline: number): Promise<HttpResult> {
    const { token, body } = asked;
    const content = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const headers = {
      ...asked.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
    };
    return new Promise((resolve) => {
      const sent = request({ localAddress, ...asked, hostname, port, headers, agent });
      const timer = setTimeout(
        () => sent.destroy(Object.assign(new Error("no response in time"), { code: "timeout" })),
        Math.max(0, deadline - Date.now()),
      );
      const fail = (error: NodeJS.ErrnoException): void => {
        clearTimeout(timer);
        const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (isStale) resolve(send(asked, deadline));
        else resolve({ status: undefined, body: error.code ?? error.message });
      };
      sent.once("error", fail);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", fail);
        response.once("end", () => {
          clearTimeout(timer);
          resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString("utf8") });
        });
      });
      sent.end(content);
    });
  }

  return (request) => send(request, Date.now() + timeoutMs);
}
