import type { ErrorCode } from "@hookwright/domain";
import type { OperationName } from "./operation-names.ts";

/** A request to the mock and its result. */
export interface RecordedRequest {
  readonly method: string;
  /** The path below the base URL, percent-encoded, for example `/v1/orders/ord_1001`. */
  readonly path: string;
  /** `undefined` if there is no such operation. */
  readonly operation: OperationName | undefined;
  /** The parameters. A repeated one has its last value. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** The parsed JSON, or the text if it is not JSON, or `undefined` without a body. */
  readonly body: unknown;
  /** Null if there was no response. */
  readonly status: number | null;
  /** The error code. Null for a success or without a response. */
  readonly code: ErrorCode | null;
}
