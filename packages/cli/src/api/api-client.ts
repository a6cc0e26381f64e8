import { stringifyJson } from "@hookwright/domain";
import { ownError } from "../cli-error.ts";
import { notThisApi, redirected, timeoutMs, toError, unreachable } from "./api-errors.ts";
import { isRow, parseJsonText, rowOf, textOf } from "./fields.ts";
import type { Row } from "./fields.ts";

export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below the server, such as `/v1/me`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** True for a request that tidies up after a signal. It takes at most three seconds. */
  readonly isLast?: boolean;
  /** True if the response is needed to tidy up: after a signal, it is awaited for three more seconds. */
  readonly isAwaited?: boolean;
  /** What to do if there is no such record. */
  readonly ifMissing?: string;
  /** True if the request fails with `rate_limited`, instead of waiting. */
  readonly failsIfLimited?: boolean;
  /** True if a success is a document without the envelope of the API. */
  readonly isBare?: boolean;
}

export interface ListRequest extends Omit<Request, "method"> {
  /** Awaited before each page. */
  readonly beforePage?: (() => Promise<void>) | undefined;
}

export interface ApiClient {
  /** The URL of the server, without a slash at the end. */
  readonly server: string;
  /**
   * Sends a request and returns `data`. A request that is refused by the rate limit is repeated.
   *
   * @throws {CliError} a code of the API, or `server_unreachable`
   */
  send(request: Request): Promise<Row>;
  /** Reads a document that has no envelope, such as the OpenAPI document. */
  read(request: Pick<Request, "path">): Promise<Row>;
  /** Reads a list page by page. */
  pages(request: ListRequest): AsyncIterable<readonly Row[]>;
  /** Opens an event stream. The caller must read or abort it. */
  stream(request: Omit<Request, "method" | "body"> & { readonly lastEventId?: string }): Promise<Response>;
}

export interface ApiClientOptions {
  readonly server: string;
  /** An API key or a console token. */
  readonly token: string | undefined;
  readonly version: string;
  /** Errors of the network end with it. */
  readonly proxyHint?: string | undefined;
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly remark: (text: string) => void;
}

const lastRequestMs = 3_000;
const longestWaitSeconds = 60;
const rateLimitAttempts = 4;

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { server, sleep, remark } = options;

  async function exchange(request: Request): Promise<Row> {
    for (let attempt = 1; ; attempt += 1) {
      const stopped = request.isAwaited ? laterThan(options.signal) : options.signal;
      const signals = request.isLast
        ? [AbortSignal.timeout(lastRequestMs)]
        : [stopped, AbortSignal.timeout(timeoutMs)];
      if (request.signal !== undefined) signals.push(request.signal);
      const response = await call(options, request, {}, AbortSignal.any(signals));
      const envelope = await readEnvelope(response, options, request);
      if (response.ok) return envelope;
      const waitSeconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      const waits = request.isLast !== true && request.failsIfLimited !== true;
      const isLimited = response.status === 429 && waits && waitSeconds <= longestWaitSeconds;
      if (!isLimited || attempt >= rateLimitAttempts)
        throw toError(response, envelope, { ...options, ...request });
      remark(`hookwright: the rate limit is reached. Waiting ${waitSeconds} s.`);
      await sleep(waitSeconds * 1_000, request.signal);
    }
  }

  return {
    server,
    async send(request) {
      const envelope = await exchange(request);
      return rowOf(envelope, "data") ?? {};
    },
    read: (request) => exchange({ ...request, method: "GET", isBare: true }),
    async *pages({ beforePage, ...request }) {
      let cursor: string | undefined;
      do {
        await beforePage?.();
        const envelope = await exchange({ ...request, method: "GET", query: { ...request.query, cursor } });
        const rows = envelope["data"];
        if (!Array.isArray(rows)) throw notThisApi(options, `${request.path} returned no list`);
        yield rows.filter(isRow);
        const next = textOf(rowOf(envelope, "meta") ?? {}, "next_cursor");
        if (next !== undefined && next === cursor)
          throw notThisApi(options, `${request.path} returned the same cursor twice`);
        cursor = next;
      } while (cursor !== undefined);
    },
    async stream({ lastEventId, ...request }) {
      const headers = {
        accept: "text/event-stream",
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      };
      const connect = new AbortController();
      const timer = setTimeout(
        () => connect.abort(new DOMException("no response in time", "TimeoutError")),
        timeoutMs,
      );
      const signals = [options.signal, connect.signal];
      if (request.signal !== undefined) signals.push(request.signal);
      try {
        const whole = { ...request, method: "GET" } as const;
        const response = await call(options, whole, headers, AbortSignal.any(signals));
        if (!response.ok)
          throw toError(response, await readEnvelope(response, options, whole), { ...options, ...whole });
        const type = response.headers.get("content-type") ?? "none";
        if (!type.startsWith("text/event-stream")) {
          await response.body?.cancel();
          throw notThisApi(options, `${request.path} returned ${type} in place of text/event-stream`);
        }
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Is aborted three seconds after the signal. */
function laterThan(signal: AbortSignal): AbortSignal {
  const later = new AbortController();
  const start = (): void => {
    setTimeout(() => later.abort(signal.reason), lastRequestMs).unref();
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return later.signal;
}

async function call(
  options: ApiClientOptions,
  { method, path, query = {}, body, isLast = false }: Request,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const { server, token, version, fetch, signal: stopped } = options;
  const url = new URL(server + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  try {
    return await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        "user-agent": `hookwright-cli/${version}`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
      // A redirect could take the key elsewhere.
      redirect: "manual",
      signal,
    });
  } catch (error) {
    if (stopped.aborted && !isLast) throw error;
    throw unreachable(options, error);
  }
}

async function readEnvelope(response: Response, options: ApiClientOptions, request: Request): Promise<Row> {
  const location = response.headers.get("location");
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw location === null
      ? notThisApi(options, `it answered ${response.status}`)
      : redirected(options, request.path, location);
  }
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    if (options.signal.aborted && request.isLast !== true) throw error;
    throw unreachable(options, error);
  }
  const envelope = parseJsonText(text);
  const isBare = request.isBare === true && response.ok;
  if (isRow(envelope) && (isBare || typeof envelope["success"] === "boolean")) return envelope;
  // What nginx, Caddy and Go answer to HTTP on a port for TLS.
  if (response.status === 400 && options.server.startsWith("http:") && /\bHTTPS\b/u.test(text))
    throw ownError(
      "server_unreachable",
      `${options.server} speaks TLS on this port. Write --server ${options.server.replace("http:", "https:")}.`,
    );
  throw notThisApi(
    options,
    `${request.method} ${request.path} returned ${response.status} without the envelope of the API`,
  );
}
