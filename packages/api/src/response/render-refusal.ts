import { STATUS_CODES } from "node:http";
import { failure } from "./api-response.ts";
import { commonHeaders } from "./to-response.ts";

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** Keyed by the error codes of Node's HTTP server. */
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: "The header section of the request is too large." },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: "The chunk extensions of the body are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time." },
};
const unreadable: Refusal = { status: 400, message: "The request is not valid HTTP/1.1." };

export interface RefusalDetails {
  /** The `code` of the error that Node's HTTP server reported. */
  readonly code: unknown;
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Renders the response to a malformed request as raw HTTP, because Node has no response object for it. */
export function renderRefusal({ code, requestId, now }: RefusalDetails): string {
  const { status, message } = (typeof code === "string" ? refusals[code] : undefined) ?? unreadable;
  const { body } = failure(status, "validation_failed", message);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...commonHeaders,
    "x-request-id": requestId,
    date: new Date(now).toUTCString(),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
