import type { HeadersByName } from "../read-service-headers.ts";
import { joinBytes } from "./join-bytes.ts";
import { alreadyRead, bodyLimit, receive, wrongMethod } from "./receive.ts";
import type { Answer, HandlerOptions } from "./receive.ts";
import type { NoOwnEvents, OwnEventData } from "../webhook-event.ts";

/** The parts of Node's `IncomingMessage` that are needed. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: HeadersByName;
  /** Whether something has begun to read the body. */
  readonly readableDidRead?: boolean | undefined;
}

/** The parts of Node's `ServerResponse` that are needed. */
export interface NodeResponse {
  writeHead(status: number, headers?: Record<string, string>): { end(text?: string): unknown };
}

/**
 * A receiver for `http.createServer` and everything that takes `(request, response)`.
 *
 * @example
 * const receive = nodeHandler({ secrets: "whsec_…", onEvent: (event) => console.log(event.id) });
 * http.createServer(receive).listen(8080);
 */
export function nodeHandler<Own extends OwnEventData = NoOwnEvents>(
  options: HandlerOptions<Own>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const read = () => readNodeBody(request, bodyLimit(options));
    const answer = request.method === "POST" ? await receive(request.headers, read, options) : wrongMethod;
    sendAnswer(response, answer);
  };
}

export function sendAnswer(response: NodeResponse, { status, text, headers }: Answer): void {
  response.writeHead(status, { ...headers }).end(text);
}

/** Undefined if the body is too long. The sender is not verified yet, so its body must not fill the memory. */
export async function readNodeBody(
  request: NodeRequest,
  maximumBytes: number,
): Promise<Uint8Array | undefined> {
  if (request.readableDidRead === true) {
    throw alreadyRead("put it before body parsers such as express.json(), or let them keep request.rawBody");
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.byteLength;
    // The rest is read and dropped. An unread body would block the next request on this connection.
    if (length > maximumBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  return length > maximumBytes ? undefined : joinBytes(chunks, length);
}
