/** The used part of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values alternate, in the received order. */
  readonly rawHeaders: readonly string[];
}

/** The used part of Node's `ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: Uint8Array): unknown;
  destroy(): unknown;
  on(event: "close", listener: () => void): unknown;
}

/**
 * Serves a mock on a real socket, for programs that msw cannot reach: other processes, and programs with
 * their own sockets.
 *
 * @example
 * const server = createServer(toNodeListener(receiver.fetch)).listen(0, "127.0.0.1");
 */
export function toNodeListener(
  fetch: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const closed = new AbortController();
    response.on("close", () => closed.abort());
    answer(fetch, request, response, closed.signal).catch(() => response.destroy());
  };
}

async function answer(
  fetch: (request: Request) => Promise<Response>,
  request: NodeRequest,
  response: NodeResponse,
  signal: AbortSignal,
): Promise<void> {
  const { method = "GET", url = "/", rawHeaders } = request;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  const chunks: BlobPart[] = [];
  for await (const chunk of request) chunks.push(new Uint8Array(chunk));
  const body = method === "GET" || method === "HEAD" ? null : new Blob(chunks);
  // A blob without a type does not change the content type.
  const answered = await fetch(new Request(toUrl(url), { method, headers, body, signal }));
  const bytes = new Uint8Array(await answered.arrayBuffer());
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(bytes);
}

/**
 * Parses a request target: a path, which may begin with two slashes, or a complete URL from a proxy (RFC
 * 9112, section 3.2).
 */
function toUrl(target: string): URL {
  return target.startsWith("/") ? new URL(`http://localhost${target}`) : new URL(target, "http://localhost");
}
