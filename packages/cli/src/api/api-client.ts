import { CliError, exitStatus, ownError } from "../cli-error.ts";
import { isRow, rowOf, textOf } from "./fields.ts";
import type { Row } from "./fields.ts";

export interface Request {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below the server, such as `/v1/me`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** True for a request that tidies up after a signal. It takes at most three seconds. */
  readonly isLast?: boolean;
  /** True if the response is needed to tidy up: after a signal, it is awaited for three more seconds. */
  readonly isAwaited?: boolean;
  /** True if the request fails with `rate_limited`, instead of waiting. */
  readonly failsIfLimited?: boolean;
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
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly remark: (text: string) => void;
}

/** A response takes at most this long. */
const timeoutMs = 30_000;
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
      if (!isLimited || attempt >= rateLimitAttempts) throw toError(response, envelope, options);
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
        if (!response.ok) throw toError(response, await readEnvelope(response, options, whole), options);
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
  { server, token, version, fetch, signal: stopped }: ApiClientOptions,
  { method, path, query = {}, body, isLast = false }: Request,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
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
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect could take the key elsewhere.
      redirect: "manual",
      signal,
    });
  } catch (error) {
    if (stopped.aborted && !isLast) throw error;
    throw unreachable(server, error);
  }
}

async function readEnvelope(response: Response, options: ApiClientOptions, request: Request): Promise<Row> {
  const location = response.headers.get("location");
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw notThisApi(
      options,
      location === null
        ? `it answered ${response.status}`
        : `it redirects to ${location}, and a redirect is not followed because it could expose the key`,
    );
  }
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    if (options.signal.aborted && request.isLast !== true) throw error;
    throw unreachable(options.server, error);
  }
  const envelope = parseJson(text);
  if (isRow(envelope) && typeof envelope["success"] === "boolean") return envelope;
  throw notThisApi(
    options,
    `${request.method} ${request.path} returned ${response.status} without the envelope of the API`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports that this is not the API.
    return undefined;
  }
}

/** The exit status for the codes of the API. Codes that are not listed have a negative result. */
const exitStatusOfCode: Readonly<Record<string, number>> = {
  missing_api_key: exitStatus.noServer,
  invalid_api_key: exitStatus.noServer,
  console_token_expired: exitStatus.noServer,
  invalid_credentials: exitStatus.noServer,
  account_unavailable: exitStatus.noServer,
  plan_required: exitStatus.noServer,
  read_only_demo: exitStatus.noServer,
  rate_limited: exitStatus.noServer,
  internal_error: exitStatus.noServer,
  validation_failed: exitStatus.wrongUsage,
  unknown_event: exitStatus.wrongUsage,
  invalid_project: exitStatus.wrongUsage,
};

const advice: Readonly<Record<string, string>> = {
  missing_api_key: "Run `hookwright login`, or set HOOKWRIGHT_API_KEY.",
  invalid_api_key: "Run `hookwright login` with a key of this server, or correct HOOKWRIGHT_API_KEY.",
  console_token_expired: "Run `hookwright login` again.",
  read_only_demo: "Use an account of your own.",
};

function toError(response: Response, envelope: Row, { server }: ApiClientOptions): CliError {
  const error = rowOf(envelope, "error") ?? {};
  const code = textOf(error, "code") ?? "unknown_code";
  // A server without these routes answers with `not_found` and 404. A missing record is `resource_not_found`.
  if (code === "not_found") {
    return new CliError(
      code,
      `the server at ${server} has no such route. Is it older than this command line? Check --server or HOOKWRIGHT_SERVER.`,
      { exitStatus: exitStatus.noServer },
    );
  }
  const requestId = response.headers.get("x-request-id");
  const message = [
    textOf(error, "message") ?? `the server answered ${response.status}.`,
    advice[code],
    response.status >= 500 && requestId !== null ? `The request id is ${requestId}.` : undefined,
  ].filter((part) => part !== undefined);
  const status =
    exitStatusOfCode[code] ?? (response.status >= 500 ? exitStatus.noServer : exitStatus.negative);
  return new CliError(code, message.join(" "), { exitStatus: status, retryAfterMs: retryAfterMs(response) });
}

/** Milliseconds that `Retry-After` demands. Undefined without it, and for the form with a date, which the API never uses. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^\d+$/u.test(text) ? Number(text) * 1_000 : undefined;
}

function notThisApi({ server }: ApiClientOptions, what: string): CliError {
  return ownError(
    "server_unreachable",
    `${server} is not a Hookwright server: ${what}. Check --server or HOOKWRIGHT_SERVER.`,
  );
}

function unreachable(server: string, error: unknown): CliError {
  return ownError(
    "server_unreachable",
    `cannot reach ${server}: ${describeCause(error)}. Is the server running? Check --server or HOOKWRIGHT_SERVER.`,
    error,
  );
}

/** `fetch` hides the reason in the causes. An error with several addresses has a list of them. */
export function describeCause(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 8; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  if (!(current instanceof Error)) return String(current);
  if (current.name === "TimeoutError") return `no response within ${timeoutMs / 1_000} s`;
  return current.message === "" ? current.name : current.message;
}
