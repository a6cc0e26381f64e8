import type { ServedRequest } from "@hookwright/api";
import type { WriteLogLine } from "@hookwright/domain";

/** Writes one line for each request. It has the pattern of the route, because paths may hold e-mail addresses. */
export function createAccessLog(log: WriteLogLine): (request: ServedRequest) => void {
  return ({ method, route, status, durationMs, requestId, accountId }) =>
    log("request_served", {
      method,
      route,
      status,
      duration_ms: Math.round(durationMs * 10) / 10,
      request_id: requestId,
      ...(accountId === undefined ? {} : { account_id: accountId }),
    });
}
