import { createFetch } from "ofetch";
import type { Operation } from "../operations.ts";
import type { CheckedOptions } from "../read-options.ts";

export interface Question {
  readonly operation: Operation;
  readonly url: string;
  /** JSON text. */
  readonly body: string | undefined;
}

/**
 * Sends one request; the answer's body is not read yet. Undefined where `fetch` answered with something else than a
 * `Response`.
 *
 * @throws FetchError whose `cause` is what `fetch` failed with
 */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Response | undefined>;

/**
 * All that ofetch does by itself is off: it would repeat a GET at once, whatever `Retry-After` says, give text that is no
 * JSON back as a string, and throw errors that carry the request with its Authorization header.
 */
export function createAsk({ fetch, apiKey }: Pick<CheckedOptions, "fetch" | "apiKey">): Ask {
  return async ({ operation, url, body }, signal) => {
    let answered: unknown;
    const api = createFetch({
      async fetch(address, init = {}) {
        const response = await fetch(String(address), init);
        answered = response;
        // ofetch would stumble over anything else.
        return isResponse(response) ? response : new Response();
      },
      // Workers refuse "error", and it would not say where to.
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
    return isResponse(answered) ? response : undefined;
  };
}

/** By shape: a `fetch` of one's own may have a `Response` of its own. */
function isResponse(answered: unknown): boolean {
  return (
    typeof answered === "object" &&
    answered !== null &&
    "status" in answered &&
    typeof answered.status === "number" &&
    "headers" in answered &&
    typeof answered.headers === "object" &&
    "body" in answered
  );
}
