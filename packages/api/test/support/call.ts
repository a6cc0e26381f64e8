import type { TestApi } from "./open-api.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Envelope;
}

export interface Envelope {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly meta?: { readonly has_more: boolean; readonly next_cursor: string | null };
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Call {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: BodyInit;
}

/** Calls a route such as `"GET /v1/me"` with the account's key, or with another token, or with none (`undefined`). */
export async function call(api: TestApi, target: string, options: Call = {}): Promise<Answered> {
  const [method = "GET", path = "/"] = target.split(" ", 2);
  const token = "token" in options ? options.token : api.apiKey;
  const body = "json" in options ? JSON.stringify(options.json) : options.body;
  const response = await api.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...("json" in options ? { "content-type": "application/json" } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    }),
  );
  return toAnswered(response);
}

export async function toAnswered(response: Response): Promise<Answered> {
  const text = await response.text();
  const isJson = response.headers.get("content-type") === "application/json" && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

export function codeOf({ body }: Answered): string | undefined {
  return body.error?.code;
}

/** Returns a text field of `data`. */
export function textOf({ body }: Answered, field: string): string {
  const { data } = body;
  const value =
    typeof data === "object" && data !== null
      ? Object.entries(data).find(([name]) => name === field)
      : undefined;
  return String(value?.[1]);
}
