import { parseJson, stringifyJson } from "@hookwright/domain";

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

/** @example toPath("webhooks", "wh_1", "test") // "console/api/webhooks/wh_1/test" */
export function toPath(...segments: readonly string[]): string {
  return ["console/api", ...segments.map(encodeURIComponent)].join("/");
}

export interface PageMeta {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly meta: PageMeta;
}

/** Empty values are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

export interface CallOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Whether numbers that JavaScript cannot hold are read as `bigint` or text. @default false */
  readonly isExact?: boolean;
}

export interface ConsoleApiOptions {
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

/** Calls the console API, the host API and `/v1`. Paths are relative to the page: all are mounted below the same folder. */
export type ConsoleApi = ReturnType<typeof createConsoleApi>;

/**
 * Creates the client. Every call throws an `ApiFailure` with a message for the user, or the signal's reason if it is
 * aborted. The caller names the type of `Data`, because page and server have the same version.
 */
export function createConsoleApi({ token, onChanged, onSignedOut }: ConsoleApiOptions = {}) {
  async function send(
    method: string,
    path: string,
    { query = {}, signal, body }: CallOptions & { readonly body?: unknown },
  ): Promise<Response> {
    const url = new URL(path, location.href);
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
    return fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : stringifyJson(body),
      signal: signal ?? null,
      cache: "no-store",
      credentials: "omit",
    }).catch((error: unknown) => {
      signal?.throwIfAborted();
      const message = "The server does not respond. Check the connection, then try again.";
      throw new ApiFailure("unreachable", message, { cause: error });
    });
  }

  async function call<Data>(
    method: string,
    path: string,
    options: CallOptions & { readonly body?: unknown } = {},
  ): Promise<Success<Data> & { readonly status: number }> {
    try {
      const response = await send(method, path, options);
      const reading = options.isExact ? response.text().then((text) => parseJson(text)) : response.json();
      const answered: unknown = await reading.catch(() => undefined);
      if (isSuccess<Data>(answered)) return { ...answered, status: response.status };
      throw toRefusal(answered, response.status);
    } finally {
      // Also after a lost response, because the server may have made the change.
      if (method !== "GET") onChanged?.();
    }
  }

  function toRefusal(answered: unknown, status: number): ApiFailure {
    if (!isRefusal(answered)) return unreadable(status);
    const { code, message } = answered.error;
    const reason = token === undefined ? undefined : tokenReasons[code];
    if (reason !== undefined) onSignedOut?.(reason);
    return new ApiFailure(code, message);
  }

  async function getPage<Data>(path: string, options?: CallOptions) {
    const { data, meta, status } = await call<Data>("GET", path, options);
    if (!isPageMeta(meta)) throw unreadable(status);
    return { data, meta, status };
  }

  return {
    get: async <Data>(path: string, options?: CallOptions) => (await call<Data>("GET", path, options)).data,
    getPage,
    list: async <Row>(path: string, options?: CallOptions): Promise<Listed<Row>> => {
      const { data, meta, status } = await getPage<readonly Row[]>(path, options);
      if (!Array.isArray(data)) throw unreadable(status);
      return { rows: data, meta };
    },
    post: async <Data>(path: string, body?: unknown) => (await call<Data>("POST", path, { body })).data,
    put: async <Data>(path: string, body: unknown) => (await call<Data>("PUT", path, { body })).data,
    patch: async <Data>(path: string, body: unknown) => (await call<Data>("PATCH", path, { body })).data,
    delete: async <Data>(path: string) => (await call<Data>("DELETE", path)).data,
    /** Saves a file of the API. A link cannot: its request would have no token. */
    download: async (path: string, name: string, query: Query): Promise<void> => {
      const response = await send("GET", path, { query });
      if (!response.ok) throw toRefusal(await response.json().catch(() => undefined), response.status);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await response.blob());
      link.download = name;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  };
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

function isSuccess<Data>(answered: unknown): answered is Success<Data> {
  return isObject(answered) && answered["success"] === true && "data" in answered;
}

function isRefusal(answered: unknown): answered is Refusal {
  if (!isObject(answered) || answered["success"] !== false || !isObject(answered["error"])) return false;
  const { code, message } = answered["error"];
  return typeof code === "string" && typeof message === "string";
}

function isPageMeta(meta: unknown): meta is PageMeta {
  if (!isObject(meta)) return false;
  const { has_more, next_cursor } = meta;
  return typeof has_more === "boolean" && (next_cursor === null || typeof next_cursor === "string");
}

/** For example, an error page of a proxy. */
function unreadable(status: number): ApiFailure {
  return new ApiFailure(
    "unreadable",
    `The server sent a response (${status}) that is not from the API. Is there a proxy in between?`,
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
