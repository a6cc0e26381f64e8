import { fetchHandler } from "./fetch.ts";
import type { HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/** The parts of Hono's context that are needed. */
export interface HonoContextLike {
  readonly req: { readonly raw: Request };
}

/**
 * A receiver for Hono.
 *
 * @example
 * app.post("/webhooks", honoHandler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) }));
 */
export function honoHandler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (context: HonoContextLike) => Promise<Response> {
  const handle = fetchHandler(options);
  return ({ req }) => handle(req.raw);
}
