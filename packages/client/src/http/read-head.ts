import { parseRetryAfter } from "./parse-retry-after.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";

/** Status and headers of a response. They are valid even if the body is incomplete. */
export interface Head {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

const maxRequestId = 200;

export function readHead({ status, headers }: Response, now: () => number, redact: Redact): Head {
  const requestId = headers.get("x-request-id");
  return {
    status,
    requestId: requestId === null ? undefined : toExcerpt(redact(requestId), maxRequestId),
    retryAfterSeconds: parseRetryAfter(headers.get("retry-after"), now),
  };
}
