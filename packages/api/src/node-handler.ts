import type { IncomingMessage, ServerResponse } from "node:http";
import type { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { failure } from "./answer/answer.ts";
import { describeError } from "./answer/describe-error.ts";
import type { Logger } from "./logger.ts";

export interface NodeHandlerOptions {
  readonly app: H3;
  readonly logger: Logger;
  readonly newRequestId: () => string;
}

/**
 * The app as a Node request listener. A `Host` header that cannot be part of a URL makes h3 throw before any handler of the
 * app is asked; out of a listener such an error would end the process.
 */
export function createNodeHandler({ app, logger, newRequestId }: NodeHandlerOptions) {
  const listener = toNodeHandler(app);
  return (request: IncomingMessage, response: ServerResponse): void => {
    try {
      Promise.resolve(listener(request, response)).catch((error: unknown) => {
        logger.error("an answer could not be sent", { error: describeError(error) });
        response.destroy();
      });
    } catch {
      // RFC 9112, section 3.2: a request with an invalid Host is answered 400.
      const { status, body } = failure(
        400,
        "validation_failed",
        "Host: must be a host name, with or without a port",
      );
      response
        .writeHead(status, { "content-type": "application/json", "x-request-id": newRequestId() })
        .end(request.method === "HEAD" ? undefined : body);
    }
  };
}
