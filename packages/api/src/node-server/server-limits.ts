import { ConfigurationError } from "@hookwright/domain";
import type { OptionProblem } from "@hookwright/domain";

export interface HardenServerOptions {
  /**
   * The maximum number of concurrent connections. @default a quarter of the open-files limit of the process, at most
   * 10,000
   */
  readonly maxConnections?: number | undefined;
  /** Seconds within which a client must send the headers of a request. @default 10 */
  readonly headersTimeoutSeconds?: number | undefined;
  /** Seconds within which a client must send a complete request. @default 30 */
  readonly requestTimeoutSeconds?: number | undefined;
  /** Seconds after which a connection closes if its client reads nothing of a response. @default 30 */
  readonly stalledWriteSeconds?: number | undefined;
  /** Total bytes of responses that clients have not read yet. @default 32 MiB */
  readonly pendingResponseBytes?: number | undefined;
}

export interface ServerLimits {
  readonly maxConnections: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly stalledWriteMs: number;
  readonly pendingResponseBytes: number;
}

const maximumConnections = 10_000;
const mebibyte = 2 ** 20;

/**
 * @param openFiles the limit of open files of the process, including sockets. Undefined if there is none.
 * @throws ConfigurationError `invalid_option`, which names every invalid option
 */
export function readServerLimits(
  server: unknown,
  options: HardenServerOptions,
  openFiles: number | undefined,
): ServerLimits {
  const { maxConnections = defaultConnections(openFiles) } = options;
  const { headersTimeoutSeconds = 10, requestTimeoutSeconds = 30, stalledWriteSeconds = 30 } = options;
  const { pendingResponseBytes = 32 * mebibyte } = options;
  const problems: OptionProblem[] = [];
  const expect = (option: string, holds: boolean, message: string): void => {
    if (!holds) problems.push({ option, message });
  };
  expect("server", isHttpServer(server), "must be a server of node:http or node:https");
  expect("maxConnections", isWhole(maxConnections, 1_000_000), "must be a whole number from 1 to 1000000");
  const seconds = { headersTimeoutSeconds, requestTimeoutSeconds, stalledWriteSeconds };
  for (const [option, value] of Object.entries(seconds)) {
    expect(option, isWithin(value, 0.1, 3_600), "must be a number of seconds from 0.1 to 3600");
  }
  expect(
    "headersTimeoutSeconds",
    !(headersTimeoutSeconds > requestTimeoutSeconds),
    "must not be longer than requestTimeoutSeconds",
  );
  expect(
    "pendingResponseBytes",
    isWhole(pendingResponseBytes, Number.MAX_SAFE_INTEGER),
    "must be a whole number of at least 1",
  );
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigurationError(first, ...others);
  return {
    maxConnections,
    headersTimeoutMs: Math.round(headersTimeoutSeconds * 1_000),
    requestTimeoutMs: Math.round(requestTimeoutSeconds * 1_000),
    stalledWriteMs: Math.round(stalledWriteSeconds * 1_000),
    pendingResponseBytes,
  };
}

/** A quarter, because delivery attempts may use half of the open files and their idle connections an eighth. */
export function defaultConnections(openFiles: number | undefined): number {
  if (openFiles === undefined) return maximumConnections;
  return Math.max(1, Math.min(maximumConnections, Math.floor(openFiles / 4)));
}

function isHttpServer(value: unknown): boolean {
  return typeof value === "object" && value !== null && "headersTimeout" in value && "listening" in value;
}

function isWhole(value: unknown, maximum: number): boolean {
  return Number.isInteger(value) && isWithin(value, 1, maximum);
}

function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}
