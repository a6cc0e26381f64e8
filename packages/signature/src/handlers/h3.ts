import { fetchHandler } from "./fetch.ts";
import { readNodeBody } from "./node.ts";
import type { NodeRequest } from "./node.ts";
import { bodyLimit, receive, wrongMethod } from "./receive.ts";
import type { HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/** The parts of an event of h3 2 (`req`) or h3 1 (`node`) that are needed. */
export interface H3EventLike {
  readonly req?: unknown;
  readonly node?: { readonly req?: NodeRequest | undefined } | undefined;
}

/**
 * A receiver for h3 1 and 2, and so for Nitro and Nuxt.
 *
 * @example
 * const route = h3Handler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) });
 * new H3().post("/webhooks", route); // in Nitro, the default export of server/routes/webhooks.post.ts
 */
export function h3Handler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (event: H3EventLike) => Promise<Response> {
  const handle = fetchHandler(options);
  return async ({ req, node }) => {
    if (isRequest(req)) return handle(req);
    const request = node?.req;
    if (request === undefined) throw new TypeError("h3Handler takes the event of an h3 route");
    const read = () => readNodeBody(request, bodyLimit(options));
    const { status, text, headers } =
      request.method === "POST" ? await receive(request.headers, read, options) : wrongMethod;
    return new Response(text ?? null, { status, headers: { ...headers } });
  };
}

/** Not `instanceof`, because h3 has its own class of requests. In h3 1, `req` is the request of Node. */
function isRequest(value: unknown): value is Request {
  return typeof value === "object" && value !== null && "bodyUsed" in value && "headers" in value;
}
