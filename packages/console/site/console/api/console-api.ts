/** A failed request, with a message for the user. */
export class ApiFailure extends Error {
  /**
   * The error code of the API, `unreachable` without a response, or `unreadable` for a response that is not the API's.
   */
  readonly code: string;
  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ApiFailure";
    this.code = code;
  }
}

export function toApiFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiFailure("unexpected", message, { cause: error });
}

export interface PageMeta {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface Success<Data> {
  readonly success: true;
  readonly data: Data;
  readonly meta?: unknown;
}

interface Refusal {
  readonly success: false;
  readonly error: { readonly code: string; readonly message: string };
}

export type Envelope<Data> = Success<Data> | Refusal;

/**
 * Checks only the envelope. The caller names the type of `Data`, because page and server have the same version.
 *
 * @throws ApiFailure `unreadable` for a response that is not the API's, such as an error page of a proxy
 */
export async function readEnvelope<Data>(response: Response): Promise<Envelope<Data>> {
  const answered: unknown = await response.json().catch((error: unknown) => {
    throw unreadable(response, error);
  });
  if (isSuccess<Data>(answered) || isRefusal(answered)) return answered;
  throw unreadable(response);
}

function isSuccess<Data>(answered: unknown): answered is Success<Data> {
  return isObject(answered) && answered["success"] === true && "data" in answered;
}

function isRefusal(answered: unknown): answered is Refusal {
  if (!isObject(answered) || answered["success"] !== false || !isObject(answered["error"])) return false;
  const { code, message } = answered["error"];
  return typeof code === "string" && typeof message === "string";
}

export function isPageMeta(meta: unknown): meta is PageMeta {
  if (!isObject(meta)) return false;
  const { has_more, next_cursor } = meta;
  return typeof has_more === "boolean" && (next_cursor === null || typeof next_cursor === "string");
}

export function unreadable(response: Response, cause?: unknown): ApiFailure {
  return new ApiFailure(
    "unreadable",
    `The server sent a response (${response.status}) that is not from the API. Is there a proxy in between?`,
    { cause },
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly meta: PageMeta;
}

export type Query = Readonly<Record<string, string | undefined>>;

interface CallOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
}

interface Answered<Data> {
  readonly response: Response;
  readonly data: Data;
  readonly meta: unknown;
}

/** Calls the console API and `/v1`. Paths are relative to the folder below which both are mounted. */
export interface ConsoleApi {
  get<Data>(path: string, options?: CallOptions): Promise<Data>;
  list<Row>(path: string, options?: CallOptions): Promise<Listed<Row>>;
  post<Data>(path: string, body?: unknown): Promise<Data>;
  patch<Data>(path: string, body: unknown): Promise<Data>;
  delete<Data>(path: string): Promise<Data>;
}

export interface ConsoleApiOptions {
  /** The folder of the page, below which `console/api/…` and `v1/…` are served. */
  readonly baseUrl: string;
  readonly token?: string;
  /** Called after every call that may have changed data. */
  readonly onChanged?: () => void;
  /** Called when the server no longer accepts the token. */
  readonly onSignedOut?: (reason: string) => void;
}

const tokenReasons: Readonly<Record<string, string>> = {
  console_token_expired: "Your session has expired. Sign in again.",
  invalid_api_key: "You have been signed out. Sign in again.",
  missing_api_key: "You have been signed out. Sign in again.",
};

/**
 * Creates the client. Every call throws an `ApiFailure` with a message for the user, or the signal's reason if it is
 * aborted.
 */
export function createConsoleApi({ baseUrl, token, onChanged, onSignedOut }: ConsoleApiOptions): ConsoleApi {
  async function call<Data>(
    method: string,
    path: string,
    { query = {}, signal, body }: CallOptions & { readonly body?: unknown },
  ): Promise<Answered<Data>> {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
    try {
      return await callOnce<Data>(method, url, { signal, body });
    } finally {
      // Also after a lost response, because the server may have made the change.
      if (method !== "GET") onChanged?.();
    }
  }

  async function callOnce<Data>(
    method: string,
    url: URL,
    { signal, body }: { readonly signal: AbortSignal | undefined; readonly body: unknown },
  ): Promise<Answered<Data>> {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      cache: "no-store",
      credentials: "omit",
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new ApiFailure(
        "unreachable",
        "The server does not respond. Check the connection, then try again.",
        {
          cause: error,
        },
      );
    });
    const envelope = await readEnvelope<Data>(response);
    if (envelope.success) return { response, data: envelope.data, meta: envelope.meta };
    const { code, message } = envelope.error;
    const reason = token === undefined ? undefined : tokenReasons[code];
    if (reason !== undefined) onSignedOut?.(reason);
    throw new ApiFailure(code, message);
  }

  return {
    get: async <Data>(path: string, options: CallOptions = {}) =>
      (await call<Data>("GET", path, options)).data,
    list: async <Row>(path: string, options: CallOptions = {}) => {
      const { response, data, meta } = await call<readonly Row[]>("GET", path, options);
      if (!Array.isArray(data) || !isPageMeta(meta)) throw unreadable(response);
      return { rows: data, meta };
    },
    post: async <Data>(path: string, body?: unknown) => (await call<Data>("POST", path, { body })).data,
    patch: async <Data>(path: string, body: unknown) => (await call<Data>("PATCH", path, { body })).data,
    delete: async <Data>(path: string) => (await call<Data>("DELETE", path, {})).data,
  };
}
