/** A request for metrics and an access log. It has the pattern of its route instead of its path, and no personal data. */
export interface ServedRequest {
  /** `other` for an unknown method. */
  readonly method: string;
  /** Such as `/v1/orders/{id}`, or `unknown` for an unknown path. */
  readonly route: string;
  readonly status: number;
  /** From the head of the request to the head of its response. */
  readonly durationMs: number;
  readonly requestId: string;
  /** Undefined if the request has no valid key or console token. */
  readonly accountId: string | undefined;
}
