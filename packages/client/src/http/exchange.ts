import { createFetch, FetchError } from "ofetch";
import type { ClientError, ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { Operation } from "../operations.ts";
import type { CheckedOptions } from "../read-options.ts";
import { isOutcomeUnknown, nameOperation, operationError } from "./operation-error.ts";
import { readHead } from "./read-head.ts";
import type { Head } from "./read-head.ts";
import { copyCause, describeCause, toExcerpt } from "./redact.ts";
import type { Redact } from "./redact.ts";
import { withDeadline } from "./with-deadline.ts";

export interface Outgoing {
  readonly operation: Operation;
  readonly url: string;
  /** The body as JSON. */
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether an earlier attempt may have made the change. */
  readonly earlierUnknown: boolean;
}

/** A complete response. */
export interface Incoming extends Head {
  readonly text: string;
}

export type Exchange = (outgoing: Outgoing) => Promise<Incoming>;

/** The limit for addresses and reasons in messages. */
const maxQuote = 500;
const notResponse = new TypeError("fetch returned no Response");

/**
 * Sends one request and reads the complete response.
 *
 * @throws ClientError `network_failure`, `timeout`, `aborted`, `unexpected_redirect`, `response_too_large`,
 *   and `invalid_option` for an invalid `fetch`
 */
export function createExchange(options: CheckedOptions, redact: Redact): Exchange {
  // Browsers and Workers refuse their `fetch` as a method of another object.
  const { token, credential, timeoutMs, responseLimitBytes, now, fetch: send } = options;
  const { origin } = new URL(options.baseUrl);
  const api = createFetch({
    async fetch(address, init = {}) {
      const response = await send(String(address), init);
      if (isResponse(response)) return response;
      throw notResponse;
    },
    // Without the retries of ofetch, which ignore `Retry-After`, its parsing, which reads invalid JSON as text, and
    // its errors, which contain the Authorization header. Workers reject "error" for `redirect`, and it would not tell
    // the location.
    defaults: { retry: false, ignoreResponseError: true, responseType: "stream", redirect: "manual" },
  });
  const sendRequest = ({ operation, url, body }: Outgoing, signal: AbortSignal): Promise<Response> =>
    api.raw(url, {
      method: operation.method,
      signal,
      headers: {
        accept: operation.isFile === true ? "*/*" : "application/json",
        ...(operation.keyless === true ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
    });

  return async function exchange(outgoing) {
    const { operation, signal, earlierUnknown } = outgoing;
    const received: { head?: Head } = {};
    const fail = (code: ClientErrorCode, message: string, details: ClientErrorDetails = {}): ClientError =>
      operationError(operation, code, `${nameOperation(operation)}: ${message}`, {
        ...received.head,
        outcomeUnknown: isOutcomeUnknown(received.head?.status, earlierUnknown),
        ...details,
      });
    if (signal?.aborted === true) {
      throw fail("aborted", "the call's signal is aborted. No further request was sent.", {
        outcomeUnknown: earlierUnknown,
        cause: signal.reason,
      });
    }

    const networkFailure = (thrown: unknown): ClientError => {
      const cause = copyCause(thrown, redact);
      const reason = toExcerpt(describeCause(cause), maxQuote);
      const message = `no complete response from ${origin}${reason === "" ? "" : `: ${reason}`}. Check that the API runs at baseUrl.`;
      return fail("network_failure", message, { cause });
    };

    const outcome = await withDeadline({ timeoutMs, signal }, async (deadline) => {
      const response = await sendRequest(outgoing, deadline).catch((error: unknown) => {
        if (!(error instanceof FetchError)) throw error;
        throw error.cause === notResponse
          ? fail("invalid_option", "fetch must return a Response.")
          : networkFailure(error.cause);
      });
      received.head = readHead(response, now, redact);
      if (isRedirect(response)) {
        // The outcome of the cancellation does not matter.
        response.body?.cancel().catch(() => {});
        const location = toExcerpt(redact(response.headers.get("location") ?? ""), maxQuote);
        const message = `${origin} redirects to ${location === "" ? "another address" : location}, which the client does not follow because it would send the ${credential.name}. Use the final address as baseUrl.`;
        throw fail("unexpected_redirect", message);
      }
      return readText(response.body, responseLimitBytes, deadline).catch((error: unknown) => {
        throw networkFailure(error);
      });
    });
    if ("stoppedBy" in outcome) {
      throw outcome.stoppedBy === "aborted"
        ? fail("aborted", "the call's signal was aborted.", { cause: signal?.reason })
        : fail("timeout", `no complete response from ${origin} within ${timeoutMs} ms (timeoutMs).`);
    }
    const { head } = received;
    const { result: text } = outcome;
    if (head !== undefined && text !== undefined) return { ...head, text };
    const message = `the response has more than ${responseLimitBytes} bytes (responseLimitBytes). ${operation.isFile === true ? "Export a shorter period with since and until." : "Request fewer rows with limit."}`;
    throw fail("response_too_large", message);
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

/** Browsers hide a redirect that is not followed: its status is 0. A 304 has no location. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

/**
 * Returns the body as text, or `undefined` if it exceeds the limit. Cancels the body when the signal aborts,
 * even if `fetch` ignores the signal.
 */
async function readText(
  body: ReadableStream<Uint8Array> | null,
  limitBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  // The outcome of the cancellation does not matter to the caller.
  const cancel = (): void => void reader.cancel().catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > limitBytes) {
        cancel();
        return undefined;
      }
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
