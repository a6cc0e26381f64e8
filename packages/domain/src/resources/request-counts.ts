interface StatusClasses {
  /** From 200 to 299. */
  readonly ok: number;
  /** From 400 to 499. */
  readonly client_error: number;
  /** From 500 to 599. */
  readonly server_error: number;
}

/** The requests of one bucket, which begins at `at`. */
export interface RequestBucket extends StatusClasses {
  readonly at: string;
}

/** The number of requests of each class of statuses, of the newest 10,000. */
export interface RequestCounts extends StatusClasses {
  readonly all: number;
  /** Those with the status 429. They are client errors too. */
  readonly rate_limited: number;
  /** The length of a bucket in seconds. Only for a period. */
  readonly step_seconds?: number | undefined;
  /** All buckets of the period, oldest first. The last one is not over. */
  readonly series?: readonly RequestBucket[] | undefined;
}
