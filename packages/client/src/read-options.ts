import { ClientError } from "./client-error.ts";
import type { ClientOptions, Fetch } from "./options.ts";
import { readBaseUrl } from "./read-base-url.ts";
import { sleep as sleepOnTimer } from "./retry/sleep.ts";

export type CheckedOptions = {
  readonly [Name in keyof Omit<ClientOptions, "allowHttp">]-?: NonNullable<ClientOptions[Name]>;
} & { readonly baseUrl: string };

/** A timer of 2^31 fires at once; a little is added to waits. */
const longestTimerMs = 2_147_483_000;
/** Where no headers, or no more of the body, come for 300 s, undici gives up, and its `fetch` has no option for it. */
const longestTimeoutMs = 300_000;
const mebibyte = 1_048_576;

/** @throws ClientError `invalid_option` */
export function readOptions(options: ClientOptions): CheckedOptions {
  expectObject(options);
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
  expectWhole("timeoutMs", timeoutMs, 1, longestTimeoutMs);
  expectWhole("retries", retries, 0, 100);
  expectWhole("longestWaitMs", longestWaitMs, 0, longestTimerMs);
  expectWhole("responseLimitBytes", responseLimitBytes, 1, Number.MAX_SAFE_INTEGER);
  for (const [option, value] of Object.entries({ fetch, onRetry, random, sleep, now }))
    expectFunction(option, value);
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

function expectObject(options: unknown): void {
  if (typeof options === "object" && options !== null) return;
  throw new ClientError("invalid_option", "createClient: takes an object with baseUrl and apiKey.");
}

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

function expectFunction(option: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new ClientError("invalid_option", `${option}: must be a function, or left out.`);
}
