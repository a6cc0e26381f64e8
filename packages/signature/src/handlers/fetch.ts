import { joinBytes } from "./join-bytes.ts";
import { alreadyRead, bodyLimit, receive, wrongMethod } from "./receive.ts";
import type { Answer, HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/**
 * A receiver for servers that use `Request` and `Response`: Deno, Bun, Workers and others.
 *
 * @example
 * Deno.serve(fetchHandler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) }));
 */
export function fetchHandler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "POST") return toResponse(wrongMethod);
    return toResponse(await receive(request.headers, () => readBody(request, bodyLimit(options)), options));
  };
}

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

/** The body as bytes. `text()` would drop a byte order mark. Undefined if it is too long. */
async function readBody(request: Request, maximumBytes: number): Promise<Uint8Array | undefined> {
  if (request.bodyUsed) {
    throw alreadyRead("call it before request.json() and other readers, or read request.clone() there");
  }
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.byteLength;
    if (length > maximumBytes) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  return joinBytes(chunks, length);
}

function toResponse({ status, text, headers = {} }: Answer): Response {
  return new Response(text ?? null, { status, headers });
}
