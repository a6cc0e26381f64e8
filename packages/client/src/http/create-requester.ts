import { createFetch } from "ofetch";
import type { Operation } from "../operations.ts";
import type { CheckedOptions } from "../read-options.ts";

export interface ApiRequest {
  readonly operation: Operation;
  readonly url: string;
  /** The body as JSON. */
  readonly body: string | undefined;
}

/**
 * Sends one request and returns the response with an unread body. Returns `undefined` if `fetch` did not
 * return a `Response`.
 *
 * @throws FetchError whose `cause` is the error of `fetch`
 */
export type SendRequest = (request: ApiRequest, signal: AbortSignal) => Promise<Response | undefined>;

/**
 * Disables all automatic behaviour of ofetch: retries that ignore `Retry-After`, parsing of invalid JSON as
 * text, and errors that contain the Authorization header.
 */
export function createRequester({ fetch, apiKey }: Pick<CheckedOptions, "fetch" | "apiKey">): SendRequest {
  return async ({ operation, url, body }, signal) => {
    let result: unknown;
    const api = createFetch({
      async fetch(address, init = {}) {
        const response = await fetch(String(address), init);
        result = response;
        // ofetch fails with anything else.
        return isResponse(response) ? response : new Response();
      },
      // Workers reject "error", and it would not tell the location.
      defaults: { retry: false, ignoreResponseError: true, redirect: "manual" },
    });
    const response = await api.raw(url, {
      method: operation.method,
      signal,
      responseType: "stream",
      headers: {
        accept: "application/json",
        ...(operation.keyless === true ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return isResponse(result) ? response : undefined;
  };
}

/** Checks the shape, because a custom `fetch` may have its own `Response`. */
function isResponse(result: unknown): boolean {
  return (
    typeof result === "object" &&
    result !== null &&
    "status" in result &&
    typeof result.status === "number" &&
    "headers" in result &&
    typeof result.headers === "object" &&
    "body" in result
  );
}
