import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "./listen.ts";
import type { Answering } from "./listen.ts";
import { defaultAdminHost, options } from "./options/options.ts";
import type { Settings } from "./options/read-settings.ts";

/** The second listener, which serves only the operations routes. */
export interface AdminListener {
  /** The URL on this machine, without a trailing slash. */
  readonly url: string;
  /** Passes requests on from now. Until then, the process counts as alive and not ready. */
  serve(answering: Answering): void;
  /** Answers as before `serve`, with this reason. */
  refuse(reason: string): void;
  close(): Promise<void>;
}

export interface AdminListenerOptions {
  readonly settings: Pick<
    Settings,
    "adminPort" | "adminHost" | "headersTimeoutSeconds" | "requestTimeoutSeconds"
  >;
  readonly newRequestId: () => string;
}

/** Probes and the monitoring need few. */
const maxConnections = 100;

/**
 * Listens before the storage is opened, so that `/healthz` and `/readyz` answer during a slow start. Undefined if the
 * settings name no port.
 *
 * @throws {ServerError} `address_unavailable`
 */
export async function openAdminListener({
  settings: {
    adminPort: port,
    adminHost: host = defaultAdminHost,
    headersTimeoutSeconds,
    requestTimeoutSeconds,
  },
  newRequestId,
}: AdminListenerOptions): Promise<AdminListener | undefined> {
  if (port === undefined) return undefined;
  let current = createRefusal("The server is starting.", newRequestId);
  const listening = await listen(
    {
      handler: (request, response) => current.handler(request, response),
      answerClientError: (error, socket) => current.answerClientError(error, socket),
    },
    {
      port,
      host,
      limits: { maxConnections, headersTimeoutSeconds, requestTimeoutSeconds },
      names: { port: options.adminPort, host: options.adminHost },
    },
  );
  return {
    url: listening.url,
    serve: (answering) => void (current = answering),
    refuse: (reason) => void (current = createRefusal(reason, newRequestId)),
    close: () => listening.close(0),
  };
}

/** Answers without the API, which needs an open storage. */
function createRefusal(reason: string, newRequestId: () => string): Answering {
  return {
    handler(request: IncomingMessage, response: ServerResponse) {
      const [status, body] = answerTo(request.url?.split("?", 1)[0], reason);
      response
        .writeHead(status, {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-request-id": newRequestId(),
          ...(status === 503 ? { "retry-after": "1" } : {}),
        })
        .end(JSON.stringify(body));
    },
    answerClientError: (_: Error, socket: Duplex) => socket.destroy(),
  };
}

function answerTo(path: string | undefined, reason: string): readonly [status: number, body: object] {
  if (path === "/healthz") return [200, { success: true, data: { status: "up" } }];
  const isKnown = path === "/readyz" || path === "/metrics";
  const code = isKnown ? "internal_error" : "not_found";
  const message = isKnown ? reason : "No such endpoint. This address serves only the operations routes.";
  return [isKnown ? 503 : 404, { success: false, error: { code, message } }];
}
