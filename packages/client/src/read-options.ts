import { ClientError } from "./client-error.ts";
import type { ClientOptions, Fetch } from "./options.ts";
import { readBaseUrl } from "./read-base-url.ts";
import { sleep as sleepOnTimer } from "./retry/sleep.ts";

export type CheckedOptions = {
  readonly [Name in keyof Omit<ClientOptions, "allowHttp">]-?: NonNullable<ClientOptions[Name]>;
} & { readonly baseUrl: string };

/** Beyond it a timer fires at once. */
const longestTimerMs = 2_147_483_647;
const mebibyte = 1_048_576;

/** @throws ClientError `invalid_option` */
export function readOptions(options: ClientOptions): CheckedOptions {
  const {
    timeoutMs = 30_000,
    retries = 3,
    longestWaitMs = 60_000,
    responseLimitBytes = 64 * mebibyte,
    allowHttp = false,
    fetch = currentFetch,
    onRetry = () => {},
    random = Math.random,
    sleep = sleepOnTimer,
    now = Date.now,
  } = options;
  expectApiKey(options.apiKey);
  expectWhole("timeoutMs", timeoutMs, 1, longestTimerMs);
  expectWhole("retries", retries, 0, 100);
  expectWhole("longestWaitMs", longestWaitMs, 0, longestTimerMs);
  expectWhole("responseLimitBytes", responseLimitBytes, 1, Number.MAX_SAFE_INTEGER);
  return {
    baseUrl: readBaseUrl(options.baseUrl, { allowHttp }),
    apiKey: options.apiKey,
    timeoutMs,
    retries,
    longestWaitMs,
    responseLimitBytes,
    fetch,
    onRetry,
    random,
    sleep,
    now,
  };
}

/** Looked up anew each time, so that a mock which is installed later is met. */
const currentFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/**
 * What is no key would fail inside `fetch`, with a message that quotes the whole header.
 */
function expectApiKey(apiKey: unknown): void {
  if (typeof apiKey !== "string" || apiKey === "")
    throw new ClientError("invalid_option", "apiKey: must be the key, as the developer console showed it.");
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ClientError(
      "invalid_option",
      "apiKey: must be the key alone: without Bearer, white space, or a line break at its end.",
    );
  }
}

function expectWhole(option: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  throw new ClientError("invalid_option", `${option}: must be a whole number from ${least} to ${most}.`);
}
