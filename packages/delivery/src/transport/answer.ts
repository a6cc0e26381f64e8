/** Why an attempt failed, as the delivery log names it (contract: Responses). `status` is a response other than 2xx. */
export type FailureClass =
  | "timeout"
  | "dns"
  | "blocked_address"
  | "connect"
  | "tls"
  | "reset"
  | "protocol"
  | "status";

/** The outcome of one request. */
export interface Answer {
  /** Null without a response. */
  readonly status: number | null;
  readonly headers: HeaderList;
  /** The start of the body as text, at most 4 KiB after decompression. */
  readonly excerpt: string;
  /** Null for a 2xx whose header section arrived in time. */
  readonly failure: FailureClass | null;
  /** A reason for the log, never a secret. */
  readonly detail: string | null;
  /** From the start of the attempt to the end of the response, or to the failure. The sum of the phases. */
  readonly durationMs: number;
  /** Absent if a transport does not know them. */
  readonly phases?: PhaseTimes | undefined;
}

/**
 * How long an attempt resolved the name, connected, made the TLS handshake, waited for the first byte, and read the response, in tenths
 * of a millisecond. -1: it did not. On a reused connection, the first three are -1.
 */
export type PhaseTimes = readonly [dns: number, connect: number, tls: number, wait: number, read: number];

/**
 * The headers of a response in their order: a name in lower case, its value, the next name, and so on. A list is faster to write
 * as JSON than an object whose keys a receiver chooses.
 */
export type HeaderList = readonly string[];

/** The value of a header. Repeated ones are joined with a comma (RFC 9110 §5.3). */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] === name) found = found === undefined ? headers[at + 1] : `${found}, ${headers[at + 1]}`;
  }
  return found;
}

/** All headers by name. */
export function toHeaderRecord(headers: HeaderList): Record<string, string> {
  const names = new Set(headers.filter((_, index) => index % 2 === 0));
  return Object.fromEntries([...names].map((name) => [name, headerValue(headers, name) ?? ""]));
}
