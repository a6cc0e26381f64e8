import { ApiFailure } from "./api-failure.ts";

export interface PageMeta {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** What the API answers with. `data` is as the release that this page belongs to describes it. */
export type Envelope =
  | { readonly success: true; readonly data: unknown; readonly meta?: unknown }
  | { readonly success: false; readonly error: { readonly code: string; readonly message: string } };

/** @throws ApiFailure `unreadable` for what is none of the API's, such as a proxy's own page */
export async function readEnvelope(response: Response): Promise<Envelope> {
  const answered: unknown = await response.json().catch((error: unknown) => {
    throw unreadable(response, error);
  });
  if (!isObject(answered)) throw unreadable(response);
  const { success, data, meta, error } = answered;
  if (success === true) return { success, data, meta };
  if (isObject(error) && typeof error["code"] === "string" && typeof error["message"] === "string") {
    return { success: false, error: { code: error["code"], message: error["message"] } };
  }
  throw unreadable(response);
}

export function isPageMeta(meta: unknown): meta is PageMeta {
  if (!isObject(meta)) return false;
  const { has_more, next_cursor } = meta;
  return typeof has_more === "boolean" && (next_cursor === null || typeof next_cursor === "string");
}

export function unreadable(response: Response, cause?: unknown): ApiFailure {
  return new ApiFailure(
    "unreadable",
    `The server answered ${response.status} with something that is not from the API. Is a proxy in between?`,
    { cause },
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
