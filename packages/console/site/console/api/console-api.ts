import { ApiFailure } from "./api-failure.ts";

export interface PageMeta {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
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

/** Calls of the console API and of `/v1`, by paths below the place where both are mounted. */
export interface ConsoleApi {
  get<Data>(path: string, options?: CallOptions): Promise<Data>;
  list<Row>(path: string, options?: CallOptions): Promise<Listed<Row>>;
  post<Data>(path: string, body?: unknown): Promise<Data>;
  delete<Data>(path: string): Promise<Data>;
}

export interface ConsoleApiOptions {
  /** The folder of the page: where `console/api/…` and `v1/…` begin. */
  readonly baseUrl: string;
  readonly token?: string;
  /** Called where the token is of no use any more. */
  readonly onSignedOut?: (reason: string) => void;
}

interface Envelope<Data> {
  readonly success: boolean;
  readonly data: Data;
  readonly meta: PageMeta;
  readonly error?: { readonly code: string; readonly message: string };
}

const tokenCodes: ReadonlySet<string> = new Set([
  "console_token_expired",
  "invalid_api_key",
  "missing_api_key",
]);

/**
 * Every call throws an `ApiFailure` that can be shown as it is, and rejects with the signal's reason where that is aborted.
 */
export function createConsoleApi({ baseUrl, token, onSignedOut }: ConsoleApiOptions): ConsoleApi {
  async function call<Data>(
    method: string,
    path: string,
    options: CallOptions & { readonly body?: unknown },
  ): Promise<Envelope<Data>> {
    const { query = {}, signal, body } = options;
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
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
        "The server does not answer. Check the connection, then try again.",
        { cause: error },
      );
    });
    const envelope = await readEnvelope<Data>(response);
    if (envelope.success) return envelope;
    const { code = "unreadable", message = `The server answered ${response.status}.` } = envelope.error ?? {};
    if (token !== undefined && tokenCodes.has(code)) {
      onSignedOut?.(
        code === "console_token_expired"
          ? "Your session has expired. Sign in again."
          : "You have been signed out. Sign in again.",
      );
    }
    const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
    throw new ApiFailure(code, message, {
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    });
  }

  return {
    get: async <Data>(path: string, options: CallOptions = {}) =>
      (await call<Data>("GET", path, options)).data,
    list: async <Row>(path: string, options: CallOptions = {}) => {
      const { data, meta } = await call<readonly Row[]>("GET", path, options);
      return { rows: data, meta };
    },
    post: async <Data>(path: string, body?: unknown) =>
      (await call<Data>("POST", path, body === undefined ? {} : { body })).data,
    delete: async <Data>(path: string) => (await call<Data>("DELETE", path, {})).data,
  };
}

async function readEnvelope<Data>(response: Response): Promise<Envelope<Data>> {
  try {
    return await response.json();
  } catch (error) {
    throw new ApiFailure(
      "unreadable",
      `The server answered ${response.status} with something that is not from the API. Is a proxy in between?`,
      { cause: error },
    );
  }
}
