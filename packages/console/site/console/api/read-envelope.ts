import { ApiFailure } from "./api-failure.ts";

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
