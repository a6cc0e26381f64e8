import type { Page, RecordText } from "@hookwright/service";

/** A response without the headers that every response has. */
export interface ApiResponse {
  readonly status: number;
  /** Null if the response has no body (204). */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default "application/json" */
  readonly contentType?: string;
  /** The error code of a failure. */
  readonly errorCode?: string;
  /** True if the rest of the request is not read. The connection closes after this response. @default false */
  readonly closesConnection?: boolean;
}

/** A success response with `data`, and `meta` if there may be more. */
export function success(
  data: unknown,
  { created = false, meta }: { readonly created?: boolean; readonly meta?: Page<unknown>["meta"] } = {},
): ApiResponse {
  return { status: created ? 201 : 200, body: JSON.stringify({ success: true, data, meta }) };
}

/** A record is stored as the JSON text of its response, so it is inserted unchanged. */
export function recordSuccess({ json }: RecordText): ApiResponse {
  return { status: 200, body: `{"success":true,"data":${json}}` };
}

/** A list that always fits on one page. It has a `meta` so that all lists have the same shape. */
export const onePage = { has_more: false, next_cursor: null };

export function pageSuccess<Row>({ rows, meta }: Page<Row>): ApiResponse {
  return { status: 200, body: listBody(JSON.stringify(rows), meta) };
}

export function recordPageSuccess({ rows, meta }: Page<RecordText>): ApiResponse {
  return { status: 200, body: listBody(`[${rows.map(({ json }) => json).join(",")}]`, meta) };
}

function listBody(data: string, meta: Page<unknown>["meta"]): string {
  return `{"success":true,"data":${data},"meta":${JSON.stringify(meta)}}`;
}

export function failure(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ApiResponse & { readonly body: string } {
  return {
    status,
    body: JSON.stringify({ success: false, error: { code, message } }),
    headers,
    errorCode: code,
  };
}
