import { readNodeBody, sendAnswer } from "./node.ts";
import type { NodeRequest, NodeResponse } from "./node.ts";
import { bodyLimit, receive, wrongMethod } from "./receive.ts";
import type { Delivery, HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/** The parts of Express's `Request` that are needed. */
export interface ExpressRequest extends NodeRequest {
  /** Bytes after `express.raw()`. Anything else was parsed. */
  readonly body?: unknown;
  /** Bytes that a parser has kept: `express.json({ verify: (request, _, rawBody) => Object.assign(request, { rawBody }) })`. */
  readonly rawBody?: unknown;
}

/**
 * A receiver for Express 4 and 5. It reads the raw body itself, or takes it from `express.raw()` or `request.rawBody`.
 *
 * @example
 * app.post("/webhooks", expressHandler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) }));
 * app.use(express.json()); // behind it
 */
export function expressHandler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (request: ExpressRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const read = () => rawBodyOf(request) ?? readNodeBody(request, bodyLimit(options));
    const answer = request.method === "POST" ? await receive(request.headers, read, options) : wrongMethod;
    sendAnswer(response, answer);
  };
}

function rawBodyOf({ body, rawBody }: ExpressRequest): Delivery["body"] | undefined {
  return [rawBody, body].find((value) => typeof value === "string" || value instanceof Uint8Array);
}
