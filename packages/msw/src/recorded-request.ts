import type { ErrorCode } from "@hookwright/domain";
import type { OperationName } from "./routing/operation-names.ts";

/** A request that came to the mock, with what became of it. */
export interface RecordedRequest {
  readonly method: string;
  /** Below the base URL, still percent-encoded, such as `/v1/orders/ord_1001`. */
  readonly path: string;
  /** Undefined where there is no such operation. */
  readonly operation: OperationName | undefined;
  /** Of a parameter that was repeated, the last value. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** What was parsed, or the text where it is no JSON; undefined for no body. */
  readonly body: unknown;
  /** Null where there was no answer. */
  readonly status: number | null;
  /** The error code; null for a success, and where there was no answer. */
  readonly code: ErrorCode | null;
}
