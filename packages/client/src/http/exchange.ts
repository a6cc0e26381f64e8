import { FetchError } from "ofetch";
import type { ClientError, ClientErrorDetails } from "../client-error.ts";
import type { ClientErrorCode } from "../error-codes.ts";
import type { CheckedOptions } from "../read-options.ts";
import { copyCause, describeCause } from "./copy-cause.ts";
import { createAsk } from "./create-ask.ts";
import type { Question } from "./create-ask.ts";
import { isOutcomeUnknown } from "./is-outcome-unknown.ts";
import { nameOperation, operationError } from "./operation-error.ts";
import { readHead } from "./read-head.ts";
import type { Head } from "./read-head.ts";
import { readText } from "./read-text.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";
import { withDeadline } from "./with-deadline.ts";

export interface Outgoing extends Question {
  readonly signal: AbortSignal | undefined;
  /** Whether an attempt before this one may have made the change. */
  readonly earlierUnknown: boolean;
}

/** A whole answer, whatever it says. */
export interface Incoming extends Head {
  readonly text: string;
}

export type Exchange = (outgoing: Outgoing) => Promise<Incoming>;

/** Of an address, and of a reason, in a message. */
const longestQuote = 500;

/**
 * Makes one request, and reads its answer to the end.
 *
 * @throws ClientError `network_failure`, `timeout`, `aborted`, `unexpected_redirect`, `response_too_large`, and
 * `invalid_option` for a `fetch` that is none
 */
export function createExchange(options: CheckedOptions, redact: Redact): Exchange {
  const { timeoutMs, responseLimitBytes, now } = options;
  const { origin } = new URL(options.baseUrl);
  const ask = createAsk(options);

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
      throw fail("aborted", "the call's signal was aborted, and nothing more was sent.", {
        outcomeUnknown: earlierUnknown,
        cause: signal.reason,
      });
    }

    const brokenOff = (thrown: unknown): ClientError => {
      const cause = copyCause(thrown, redact);
      const reason = toExcerpt(describeCause(cause), longestQuote);
      const message = `no complete answer from ${origin}${reason === "" ? "" : `: ${reason}`}. Check that the API runs at baseUrl.`;
      return fail("network_failure", message, { cause });
    };

    const outcome = await withDeadline({ timeoutMs, signal }, async (deadline) => {
      const response = await ask(outgoing, deadline).catch((error: unknown) => {
        throw error instanceof FetchError ? brokenOff(error.cause) : error;
      });
      if (response === undefined) throw fail("invalid_option", "fetch must answer with a Response.");
      received.head = readHead(response, now, redact);
      if (isRedirect(response)) {
        // Nobody waits for its end, and nobody cares how it ends.
        response.body?.cancel().catch(() => {});
        const location = toExcerpt(redact(response.headers.get("location") ?? ""), longestQuote);
        const message = `${origin} redirects to ${location === "" ? "another address" : location}, and the key is not sent along. Give the address that answers by itself as baseUrl.`;
        throw fail("unexpected_redirect", message);
      }
      return readText(response.body, responseLimitBytes, deadline).catch((error: unknown) => {
        throw brokenOff(error);
      });
    });
    if ("givenUp" in outcome) {
      throw outcome.givenUp === "aborted"
        ? fail("aborted", "the call's signal was aborted.", { cause: signal?.reason })
        : fail("timeout", `no complete answer from ${origin} within ${timeoutMs} ms (timeoutMs).`);
    }
    const { head } = received;
    const { result: text } = outcome;
    if (head !== undefined && text !== undefined) return { ...head, text };
    const message = `the answer has more than ${responseLimitBytes} bytes (responseLimitBytes). Ask for fewer rows with limit.`;
    throw fail("response_too_large", message);
  };
}

/** Browsers hide a redirect that is not followed: its status is 0. A 304, which nobody asked for, names no address. */
function isRedirect({ status, type }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}
