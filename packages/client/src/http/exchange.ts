import { FetchError } from "ofetch";
import type { ClientError, ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { CheckedOptions } from "../read-options.ts";
import { copyCause, describeCause } from "./copy-cause.ts";
import { createRequester } from "./create-requester.ts";
import type { ApiRequest } from "./create-requester.ts";
import { isOutcomeUnknown, nameOperation, operationError } from "./operation-error.ts";
import { readHead } from "./read-head.ts";
import type { Head } from "./read-head.ts";
import { readText } from "./read-text.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";
import { withDeadline } from "./with-deadline.ts";

export interface Outgoing extends ApiRequest {
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

/**
 * Sends one request and reads the complete response.
 *
 * @throws ClientError `network_failure`, `timeout`, `aborted`, `unexpected_redirect`, `response_too_large`,
 *   and `invalid_option` for an invalid `fetch`
 */
export function createExchange(options: CheckedOptions, redact: Redact): Exchange {
  const { timeoutMs, responseLimitBytes, now } = options;
  const { origin } = new URL(options.baseUrl);
  const sendRequest = createRequester(options);

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
        throw error instanceof FetchError ? networkFailure(error.cause) : error;
      });
      if (response === undefined) throw fail("invalid_option", "fetch must return a Response.");
      received.head = readHead(response, now, redact);
      if (isRedirect(response)) {
        // The outcome of the cancellation does not matter.
        response.body?.cancel().catch(() => {});
        const location = toExcerpt(redact(response.headers.get("location") ?? ""), maxQuote);
        const message = `${origin} redirects to ${location === "" ? "another address" : location}, which the client does not follow because it would send the key. Use the final address as baseUrl.`;
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
    const message = `the response has more than ${responseLimitBytes} bytes (responseLimitBytes). Request fewer rows with limit.`;
    throw fail("response_too_large", message);
  };
}

/** Browsers hide a redirect that is not followed: its status is 0. A 304 has no location. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}
