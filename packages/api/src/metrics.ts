/** The metrics of a `/metrics` route. */
export interface Metrics {
  /** Returns the metrics as Prometheus text. */
  readonly render: () => string | Promise<string>;
  /** True if the route needs no host token. @default false */
  readonly public?: boolean | undefined;
}
