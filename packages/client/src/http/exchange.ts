import { createFetch, FetchError } from "ofetch";
import type { ClientError, ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { Operation } from "../operations.ts";
import type { CheckedOptions } from "../read-options.ts";
import { copyCause, describeCause } from "./copy-cause.ts";
import { nameOperation, operationError } from "./operation-error.ts";
import { parseRetryAfter } from "./parse-retry-after.ts";
import { readText } from "./read-text.ts";
import type { Redact } from "./redact.ts";
import { withDeadline } from "./with-deadline.ts";

export interface Outgoing {
  readonly operation: Operation;
  readonly url: string;
  /** JSON text. */
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether an attempt before this one may have made the change. */
  readonly earlierUnknown: boolean;
}

/** A whole answer, whatever it says. */
export interface Incoming {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly text: string;
}

export type Exchange = (outgoing: Outgoing) => Promise<Incoming>;

const longestRequestId = 200;

/**
 * Makes one request, and reads its answer to the end.
 *
 * @throws ClientError `network_failure`, `timeout`, `aborted`, `unexpected_redirect`, `response_too_large`
 */
export function createExchange(options: CheckedOptions, redact: Redact): Exchange {
  const { timeoutMs, responseLimitBytes } = options;
  const { origin } = new URL(options.baseUrl);
  const ask = createAsk(options);

  return async function exchange(outgoing) {
    const { operation, signal } = outgoing;
    const fail = (code: ClientErrorCode, message: string, details: ClientErrorDetails = {}): ClientError =>
      operationError(operation, code, `${nameOperation(operation)}: ${message}`, {
        outcomeUnknown: true,
        ...details,
      });
    if (signal?.aborted === true) {
      throw fail("aborted", "the call's signal was aborted, and nothing more was sent.", {
        outcomeUnknown: outgoing.earlierUnknown,
        cause: signal.reason,
      });
    }

    const outcome = await withDeadline({ timeoutMs, signal }, (deadline) => ask(outgoing, deadline)).catch(
      (error: unknown) => {
        const cause = copyCause(error instanceof FetchError ? error.cause : error, redact);
        const reason = describeCause(cause);
        throw fail(
          "network_failure",
          `no complete answer from ${origin}${reason === "" ? "" : `: ${reason}`}. Check that the API runs at baseUrl.`,
          {
            cause,
          },
        );
      },
    );
    if ("givenUp" in outcome) {
      throw outcome.givenUp === "aborted"
        ? fail("aborted", "the call's signal was aborted.", { cause: signal?.reason })
        : fail("timeout", `no complete answer from ${origin} within ${timeoutMs} ms (timeoutMs).`);
    }

    const { response, text } = outcome.result;
    const { status, headers } = response;
    const requestId = readRequestId(headers, redact);
    if (isRedirect(response)) {
      const location = redact(headers.get("location") ?? "another address");
      const message = `${origin} redirects to ${location}, and the key is not sent along. Give the address that answers by itself as baseUrl.`;
      throw fail("unexpected_redirect", message, { status, requestId });
    }
    if (text === undefined) {
      const message = `the answer has more than ${responseLimitBytes} bytes (responseLimitBytes). Ask for fewer rows with limit.`;
      throw fail("response_too_large", message, { status, requestId });
    }
    const retryAfterSeconds = parseRetryAfter(headers.get("retry-after"), options.now);
    return { status, requestId, retryAfterSeconds, text };
  };
}

/**
 * All that ofetch does by itself is off: it would repeat a GET at once, whatever `Retry-After` says, give text that is no
 * JSON back as a string, and throw errors that carry the request with its Authorization header.
 */
function createAsk({ fetch, apiKey, responseLimitBytes }: CheckedOptions) {
  const api = createFetch({
    fetch: (url, init = {}) => fetch(String(url), init),
    // Workers refuse "error", and it would not say where to.
    defaults: { retry: false, ignoreResponseError: true, redirect: "manual" },
  });
  return async ({ operation, url, body }: Outgoing, signal: AbortSignal) => {
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
    if (!isRedirect(response)) return { response, text: await readText(response.body, responseLimitBytes) };
    await response.body?.cancel();
    return { response, text: "" };
  };
}

/** Browsers hide a redirect that is not followed: its status is 0. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400);
}

function readRequestId(headers: Headers, redact: Redact): string | undefined {
  const value = headers.get("x-request-id");
  return value === null ? undefined : redact(value).slice(0, longestRequestId);
}
