import { fetchHandler } from "./fetch.ts";
import type { HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/**
 * A receiver for a route file of Next's app router. `next build` imports that file, so let `secrets` be a function.
 *
 * @example
 * const { POST } = nextRoute({
 *   secrets: () => process.env.WEBHOOK_SECRET ?? "",
 *   onEvent: (event) => console.log(event.id),
 * }); // export it from app/webhooks/route.ts
 */
export function nextRoute<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): { POST(request: Request): Promise<Response> } {
  return { POST: fetchHandler(options) };
}
