import type { IncomingMessage, ServerResponse } from "node:http";
import type { WriteLogLine } from "@hookwright/domain";
import type { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { failure } from "./response/api-response.ts";
import { commonHeaders } from "./response/to-response.ts";
import { createRequestQueue } from "./request-queue.ts";

export interface NodeHandlerOptions {
  readonly app: H3;
  readonly log: WriteLogLine;
  readonly newRequestId: () => string;
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Turns the app into a Node request listener. A malformed `Host` header makes h3 throw before any handler runs. An
 * error that a listener throws would end the process.
 */
export function createNodeHandler({ app, log, newRequestId, onRequest }: NodeHandlerOptions) {
  const listener = toNodeHandler(app);

  function refuse(request: IncomingMessage, response: ServerResponse): void {
    const { status, body } = failure(
      400,
      "validation_failed",
      "Host: must be a host name, with or without a port",
    );
    response
      .writeHead(status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...commonHeaders,
        "x-request-id": newRequestId(),
        connection: "close",
      })
      .end(request.method === "HEAD" ? undefined : body);
  }

  const enqueue = createRequestQueue((request, response) => {
    // RFC 9112, section 3.2: a request with a missing or invalid Host gets 400.
    if (request.httpVersion === "1.1" && request.headers.host === undefined) return refuse(request, response);
    allowEndCallback(response);
    try {
      Promise.resolve(listener(request, response)).catch((error: unknown) => {
        log("response_not_sent", { error });
        response.destroy();
      });
    } catch {
      refuse(request, response);
    }
  });

  return (request: IncomingMessage, response: ServerResponse): void => {
    onRequest(request, response);
    enqueue(request, response);
  };
}

/** h3 passes a callback to `end`. Middleware that replaces `end`, such as `compression`, would take it for a part of the body. */
function allowEndCallback(response: ServerResponse): void {
  if (!Object.hasOwn(response, "end")) return;
  const { end } = response;
  const endWithCallback = (...parts: readonly unknown[]): unknown => {
    for (const part of parts) if (typeof part === "function") response.once("finish", () => part());
    return Reflect.apply(
      end,
      response,
      parts.filter((part) => typeof part !== "function"),
    );
  };
  Object.assign(response, { end: endWithCallback });
}
