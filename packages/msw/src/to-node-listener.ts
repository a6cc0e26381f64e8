/** What is needed of Node's `IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
}

/** What is needed of Node's `ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: Uint8Array): unknown;
  destroy(): unknown;
  on(event: "close", listener: () => void): unknown;
}

/**
 * Serves a mock on a real socket, for what msw cannot reach: other processes, and senders that open sockets of their own.
 *
 * @example
 * const server = createServer(toNodeListener(receiver.fetch)).listen(0, "127.0.0.1");
 */
export function toNodeListener(
  fetch: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    answer(fetch, request, response, gone.signal).catch(() => response.destroy());
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
  // A blob without a type leaves the content type as it came.
  const answered = await fetch(new Request(toUrl(url), { method, headers, body, signal }));
  const bytes = new Uint8Array(await answered.arrayBuffer());
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  response.end(bytes);
}

/** A path alone, which may begin with two slashes; from a proxy's client a whole URL (RFC 9112, section 3.2). */
function toUrl(target: string): URL {
  return target.startsWith("/") ? new URL(`http://localhost${target}`) : new URL(target, "http://localhost");
}
