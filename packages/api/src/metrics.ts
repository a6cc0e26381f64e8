/** What a `/metrics` route serves. */
export interface Metrics {
  /** The metrics in Prometheus text. */
  readonly render: () => string | Promise<string>;
  /** Answered without the host token. @default false */
  readonly public?: boolean | undefined;
}
