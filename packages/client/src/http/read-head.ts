import { parseRetryAfter } from "./parse-retry-after.ts";
import type { Redact } from "./redact.ts";
import { toExcerpt } from "./to-excerpt.ts";

/** What an answer says ahead of its body; it holds even where the body breaks off. */
export interface Head {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

const longestRequestId = 200;

export function readHead({ status, headers }: Response, now: () => number, redact: Redact): Head {
  const requestId = headers.get("x-request-id");
  return {
    status,
    requestId: requestId === null ? undefined : toExcerpt(redact(requestId), longestRequestId),
    retryAfterSeconds: parseRetryAfter(headers.get("retry-after"), now),
  };
}
