import { ClientError } from "./client-error.ts";
import type { ClientOptions, Fetch } from "./options.ts";

/** What authenticates a client, and how errors call it. */
export interface Credential {
  readonly option: "apiKey" | "hostToken";
  readonly name: "key" | "host token";
  /** Replaces it in messages. */
  readonly redacted: string;
  /** The function that takes the options. */
  readonly creator: string;
  /** What the option must be. */
  readonly missing: string;
  readonly pattern: RegExp;
}

type CommonOptions = Omit<ClientOptions, "apiKey">;

/** The options of a client of any API. */
export type AnyClientOptions = CommonOptions & { readonly [Name in Credential["option"]]?: string };

export type CheckedOptions = {
  readonly [Name in keyof Omit<CommonOptions, "allowHttp">]-?: NonNullable<CommonOptions[Name]>;
} & { readonly baseUrl: string; readonly token: string; readonly credential: Credential };

/** Below 2^31, at which timers fire at once, with space for the jitter. */
const maxTimerMs = 2_147_483_000;
/** undici's `fetch` gives up after 300 s without data and has no option for it. */
const maxTimeoutMs = 300_000;
const mebibyte = 1_048_576;

/** @throws ClientError `invalid_option` */
export function readOptions(options: AnyClientOptions, credential: Credential): CheckedOptions {
  expectObject(options, credential);
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
  const token = readToken(options[credential.option], credential);
  expectWhole("timeoutMs", timeoutMs, 1, maxTimeoutMs);
  expectWhole("retries", retries, 0, 100);
  expectWhole("longestWaitMs", longestWaitMs, 0, maxTimerMs);
  expectWhole("responseLimitBytes", responseLimitBytes, 1, Number.MAX_SAFE_INTEGER);
  for (const [option, value] of Object.entries({ fetch, onRetry, random, sleep, now }))
    expectFunction(option, value);
  return {
    baseUrl: readBaseUrl(options.baseUrl, { allowHttp, credential }),
    token,
    credential,
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

function expectObject(options: unknown, { creator, option }: Credential): void {
  if (typeof options === "object" && options !== null) return;
  throw new ClientError(
    "invalid_option",
    `${creator}: the options must be an object with baseUrl and ${option}.`,
  );
}

/** An invalid token would fail inside `fetch` with a message that quotes the header. */
function readToken(token: unknown, { option, name, missing, pattern }: Credential): string {
  if (typeof token !== "string" || token === "")
    throw new ClientError("invalid_option", `${option}: ${missing}`);
  if (pattern.test(token)) return token;
  throw new ClientError(
    "invalid_option",
    `${option}: must be only the ${name}, without Bearer, white space or a line break.`,
  );
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
function readBaseUrl(
  baseUrl: string | URL,
  { allowHttp, credential }: { readonly allowHttp: boolean; readonly credential: Credential },
): string {
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
      `must use https, because http exposes the ${credential.name} to the network. allowHttp: true allows http`,
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
