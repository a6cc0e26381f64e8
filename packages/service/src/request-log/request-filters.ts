import { validationFailed } from "@hookwright/domain";
import { parseChoiceFilter, parseTimeFilter } from "../lookups/parse-filters.ts";

/** Omitted filters match every request. An unknown key or path matches none. */
export interface RequestFilters {
  readonly key_id?: string | undefined;
  /** Upper or lower case. */
  readonly method?: string | undefined;
  /** An HTTP status, 100 to 599, or all of a class: `2xx`, `4xx` or `5xx`. */
  readonly status?: string | undefined;
  /** The beginning of the path. */
  readonly path?: string | undefined;
  /** A timestamp: only requests of this time or later. */
  readonly since?: string | undefined;
  /** A timestamp: only requests before this time. */
  readonly until?: string | undefined;
}

/** The fields of a stored request that filters compare. */
interface FilteredRequest {
  /** Older versions stored none. */
  readonly keyId?: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/** Times in milliseconds since the epoch. */
export interface RequestPeriod {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** The methods of the API. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** @throws HookwrightError `validation_failed` if a time is invalid */
export function parseRequestPeriod({ since, until }: RequestFilters): RequestPeriod {
  return { since: parseTimeFilter("since", since), until: parseTimeFilter("until", until) };
}

/**
 * Returns whether a request matches all filters except the times, which limit what is read.
 *
 * @throws HookwrightError `validation_failed` if the method or the status is invalid
 */
export function createRequestFilter(filters: RequestFilters): (row: FilteredRequest) => boolean {
  const { key_id: keyId, path } = filters;
  const method = parseChoiceFilter("method", filters.method?.toUpperCase(), methods);
  const hasStatus = parseStatus(filters.status);
  return (row) =>
    (keyId === undefined || row.keyId === keyId) &&
    (method === undefined || row.method === method) &&
    (path === undefined || row.path.startsWith(path)) &&
    hasStatus(row.status);
}

function parseStatus(text: string | undefined): (status: number) => boolean {
  if (text === undefined) return () => true;
  if (/^[245]xx$/iu.test(text)) return (status) => String(status).startsWith(text.slice(0, 1));
  if (/^[1-5][0-9]{2}$/u.test(text)) return (status) => status === Number(text);
  throw validationFailed(["status: must be an HTTP status such as 404, or 2xx, 4xx or 5xx"]);
}
