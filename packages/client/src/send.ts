import { ClientError } from "./client-error.ts";
import type { Advice } from "./error-codes.ts";
import { createExchange } from "./http/exchange.ts";
import type { Exchange } from "./http/exchange.ts";
import { nameOperation } from "./http/operation-error.ts";
import { readAnswer } from "./http/read-answer.ts";
import type { Answer } from "./http/read-answer.ts";
import { createRedact } from "./http/redact.ts";
import type { Redact } from "./http/redact.ts";
import { toUrl } from "./http/to-url.ts";
import type { Query } from "./http/to-url.ts";
import type { Operation } from "./operations.ts";
import type { CallOptions } from "./options.ts";
import { readOptions } from "./read-options.ts";
import type { AnyClientOptions, CheckedOptions, Credential } from "./read-options.ts";

export interface Call extends CallOptions {
  /** The values of `{name}` in the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: object;
}

/** @throws ClientError */
export type Send = (operation: Operation, call?: Call) => Promise<Answer>;

/**
 * Reads the options of a client, and returns the function that all its calls use.
 *
 * @throws ClientError `invalid_option`
 */
export function openSend(options: AnyClientOptions, credential: Credential, advice: Advice): Send {
  const checked = readOptions(options, credential);
  const redact = createRedact(checked.token, credential.redacted);
  return createSend({ options: checked, redact, advice, exchange: createExchange(checked, redact) });
}

interface SendOptions {
  readonly options: CheckedOptions;
  readonly exchange: Exchange;
  readonly redact: Redact;
  readonly advice: Advice;
}

/** Calls operations and retries failed attempts if that is useful and safe. */
function createSend({ options, exchange, redact, advice }: SendOptions): Send {
  const { baseUrl, retries, sleep, onRetry } = options;

  return async function send(operation, { parameters = {}, query = {}, body, signal } = {}) {
    const url = toUrl({ baseUrl, path: operation.path, parameters, query });
    const request = { operation, url, body: toJson(body), signal };
    let earlierUnknown = false;
    for (let attempts = 1; ; attempts += 1) {
      try {
        const outgoing = { ...request, earlierUnknown };
        return readAnswer(outgoing, await exchange(outgoing), { redact, advice });
      } catch (error) {
        if (!(error instanceof ClientError) || attempts > retries) throw error;
        const delayMs = retryDelayMs(error, operation, attempts, options);
        if (delayMs === undefined) throw error;
        const { code, status } = error;
        earlierUnknown = error.outcomeUnknown;
        const notice = { operation: nameOperation(operation), attempts, delayMs, code, status };
        // An abort ends both waits, and the next attempt reports it.
        await untilAborted(signal, () => onRetry(notice));
        await untilAborted(signal, () => sleep(delayMs, signal));
      }
    }
  };
}

function toJson(body: object | undefined): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    throw new ClientError(
      "invalid_argument",
      "The body cannot be converted to JSON. It contains a cycle or a bigint.",
    );
  }
}

/**
 * Runs work until it is done or the signal aborts. Always removes the listener. Ignores errors of work that
 * was abandoned.
 */
async function untilAborted(signal: AbortSignal | undefined, run: () => unknown): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([aborted, run()]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

const firstDelayMs = 500;
const maxBackoffMs = 8_000;
/** Spreads the retries of requests that were rejected together. */
const spreadMs = 250;

/** Temporary failures of a gateway or the storage. A 500 is a permanent error. */
const temporaryStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Returns the milliseconds until the next attempt, or `undefined` if there should be none. */
function retryDelayMs(
  error: ClientError,
  operation: Operation,
  attempts: number,
  { longestWaitMs, random }: CheckedOptions,
): number | undefined {
  if (!isRetryable(error, operation)) return undefined;
  const { retryAfterSeconds } = error;
  // Ignore a wait of 0, for example a past date, which would use up all attempts at once.
  if (retryAfterSeconds !== undefined && retryAfterSeconds > 0) {
    const requestedMs = retryAfterSeconds * 1_000;
    return requestedMs > longestWaitMs ? undefined : requestedMs + Math.floor(random() * spreadMs);
  }
  // One half is fixed, the other is random.
  const backoffMs = Math.min(firstDelayMs * 2 ** (attempts - 1), maxBackoffMs, longestWaitMs);
  return Math.floor((backoffMs * (1 + random())) / 2);
}

function isRetryable({ code, status }: ClientError, { repeatable }: Operation): boolean {
  if (status === 429) return true;
  return repeatable && (code === "network_failure" || code === "timeout" || temporaryStatuses.has(status));
}
