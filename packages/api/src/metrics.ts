/** The metrics of a `/metrics` route. */
export interface Metrics {
  /** Returns the metrics as Prometheus text. */
  readonly render: () => string | Promise<string>;
  /** A bearer token for this route only, beside the host tokens. @default none */
  readonly token?: string | undefined;
  /** True if the route needs no token. @default false */
  readonly public?: boolean | undefined;
}
