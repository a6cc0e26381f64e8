/** Any answered request, as metrics count it: the route's pattern instead of its path, and nothing of who asked. */
export interface ServedRequest {
  /** `other` for a method that HTTP does not know. */
  readonly method: string;
  /** Such as `/v1/orders/{id}`; `unknown` where there is no such path. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}
