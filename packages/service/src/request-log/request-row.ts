import { beginningOf, toTimestamp } from "@hookwright/domain";
import type { RequestLogEntry } from "@hookwright/domain";

/** One finished request that was made with an API key. Headers and query are left out, so the log has no keys and no personal data. */
export interface LoggedRequest {
  /** The value of `X-Request-Id`. */
  readonly id: string;
  readonly method: string;
  /** Truncated to 2,048 characters. */
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly keyId: string;
  readonly keyName: string;
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Bounds the row size. Every path of the contract is much shorter. */
const maximumPathLength = 2_048;

/** Copies only the known fields, because the caller's object may have more. */
export function toRequestRow({
  id,
  method,
  path,
  status,
  errorCode,
  keyId,
  keyName,
  durationMs,
  createdAt,
}: LoggedRequest): LoggedRequest {
  const truncated = beginningOf(path, maximumPathLength);
  return { id, method, path: truncated, status, errorCode, keyId, keyName, durationMs, createdAt };
}

/** Older versions stored no key id. They also stored requests of the console, which have no key name. */
export type RequestRow = Omit<LoggedRequest, "keyId" | "keyName"> & {
  readonly keyId?: string;
  readonly keyName: string | null;
};

export function parseRequestRow(text: string): RequestRow {
  return JSON.parse(text);
}

export function toEntry(text: string): RequestLogEntry {
  const row: LoggedRequest = JSON.parse(text);
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    status: row.status,
    error_code: row.errorCode,
    key_name: row.keyName,
    duration_ms: row.durationMs,
    created_at: toTimestamp(row.createdAt),
  };
}
