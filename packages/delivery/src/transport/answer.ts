import type { HeaderList } from "./header-list.ts";

/** Why an attempt failed, as the delivery log names it (contract §7). `status` is an answer other than 2xx. */
export type FailureClass =
  | "timeout"
  | "dns"
  | "blocked_address"
  | "connect"
  | "tls"
  | "reset"
  | "protocol"
  | "status";

/** The outcome of one request. An expected outcome is a value. */
export interface Answer {
  readonly status: number | null;
  readonly headers: HeaderList;
  /** The start of the body as text, at most 4 KiB after decompression. */
  readonly excerpt: string;
  /** Null for a 2xx whose header section came in time. */
  readonly failure: FailureClass | null;
  /** Says more than the class, for the log: never a secret. */
  readonly detail: string | null;
  /** From the start of the attempt to the end of the header section, or to the failure. */
  readonly durationMs: number;
}
