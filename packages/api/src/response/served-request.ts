/** A request as metrics count it. It has the pattern of its route instead of its path, and no data about the client. */
export interface ServedRequest {
  /** `other` for an unknown method. */
  readonly method: string;
  /** Such as `/v1/orders/{id}`, or `unknown` for an unknown path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}
