import { Agent, request } from "node:http";

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
}

export interface HttpResult {
  /** The status as text, `timeout`, or an error code of the operating system. */
  readonly outcome: string;
  /** `undefined` without a complete response. */
  readonly status: number | undefined;
  readonly body: string;
}

export interface HttpClientOptions {
  /** The local address of the connections. */
  readonly localAddress: string;
  /** Reuses connections. If a reused connection breaks, the request is sent once more, as HTTP clients do. */
  readonly keepAlive: boolean;
  /** @default 30_000 */
  readonly timeoutMs?: number;
}

/** Sends one request. It never rejects, because a failure is a result. */
export type SendRequest = (request: HttpRequest) => Promise<HttpResult>;

const maximumConnections = 64;

export function createHttpClient(url: string, options: HttpClientOptions): SendRequest {
  const { localAddress, keepAlive, timeoutMs = 30_000 } = options;
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive, maxSockets: maximumConnections });

  function send({ method, path, token, body }: HttpRequest, deadline: number): Promise<HttpResult> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(content === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(content) }),
    };
    return new Promise((resolve) => {
      const sent = request({ hostname, port, method, path, headers, agent, localAddress });
      const timer = setTimeout(
        () => sent.destroy(Object.assign(new Error("no response in time"), { code: "timeout" })),
        Math.max(0, deadline - Date.now()),
      );
      const fail = (error: NodeJS.ErrnoException): void => {
        clearTimeout(timer);
        const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
        if (isStale) resolve(send({ method, path, token, body }, deadline));
        else resolve({ outcome: error.code ?? error.message, status: undefined, body: "" });
      };
      sent.once("error", fail);
      sent.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", fail);
        response.once("end", () => {
          clearTimeout(timer);
          const { statusCode = 0 } = response;
          resolve({
            outcome: String(statusCode),
            status: statusCode,
            body: Buffer.concat(chunks).toString("utf8"),
          });
        });
      });
      sent.end(content);
    });
  }

  return (request) => send(request, Date.now() + timeoutMs);
}
