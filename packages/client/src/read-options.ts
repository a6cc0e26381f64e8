import { ClientError } from "./client-error.ts";
import type { ClientOptions, Fetch } from "./options.ts";

export type CheckedOptions = {
  readonly [Name in keyof Omit<ClientOptions, "allowHttp">]-?: NonNullable<ClientOptions[Name]>;
} & { readonly baseUrl: string };

/** Below 2^31, at which timers fire at once, with space for the jitter. */
const maxTimerMs = 2_147_483_000;
/** undici's `fetch` gives up after 300 s without data and has no option for it. */
const maxTimeoutMs = 300_000;
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
    sleep = sleepWithTimer,
    now = Date.now,
  } = options;
  expectApiKey(options.apiKey);
  expectWhole("timeoutMs", timeoutMs, 1, maxTimeoutMs);
  expectWhole("retries", retries, 0, 100);
  expectWhole("longestWaitMs", longestWaitMs, 0, maxTimerMs);
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

/** Looked up for each request, so that mocks installed later work. */
const currentFetch: Fetch = (url, init) => globalThis.fetch(url, init);

function expectObject(options: unknown): void {
  if (typeof options === "object" && options !== null) return;
  throw new ClientError(
    "invalid_option",
    "createClient: the options must be an object with baseUrl and apiKey.",
  );
}

/** An invalid key would fail inside `fetch` with a message that quotes the header. */
function expectApiKey(apiKey: unknown): void {
  if (typeof apiKey !== "string" || apiKey === "")
    throw new ClientError("invalid_option", "apiKey: must be the key from the developer console.");
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new ClientError(
      "invalid_option",
      "apiKey: must be only the key, without Bearer, white space or a line break.",
    );
  }
}

function expectWhole(option: string, value: unknown, minimum: number, maximum: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum) return;
  throw new ClientError("invalid_option", `${option}: must be a whole number from ${minimum} to ${maximum}.`);
}

function expectFunction(option: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new ClientError("invalid_option", `${option}: must be a function or omitted.`);
}

/**
 * Resolves after the given milliseconds or when the signal aborts. Always clears the timer and the listener.
 */
function sleepWithTimer(delayMs: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted === true) return Promise.resolve();
  const finish = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", finish);
    resolve();
  };
  const timer = setTimeout(finish, delayMs);
  signal?.addEventListener("abort", finish, { once: true });
  return promise;
}

/**
 * Validates the base address and removes trailing slashes. Errors do not quote it, because it may contain a
 * password.
 *
 * @throws ClientError `invalid_option`
 */
function readBaseUrl(baseUrl: string | URL, { allowHttp }: { readonly allowHttp: boolean }): string {
  const text = String(baseUrl);
  if (!URL.canParse(text)) throw invalidBaseUrl("must be a complete URL, for example https://example.com");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw invalidBaseUrl("must not contain a user name or a password");
  // With an empty query, `search` is empty but the address still contains the question mark.
  if (/[?#]/.test(url.href)) throw invalidBaseUrl("must not contain a query or a fragment");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw invalidBaseUrl("must be an https URL");
  if (url.protocol === "http:" && !allowHttp && !isLoopback(url.hostname)) {
    throw invalidBaseUrl(
      "must use https, because http exposes the key to the network. allowHttp: true allows http",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** `URL` has already normalised IPv4 addresses. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}

function invalidBaseUrl(problem: string): ClientError {
  return new ClientError("invalid_option", `baseUrl: ${problem}.`);
}
