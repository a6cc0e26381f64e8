import type { Page, RecordText } from "@hookwright/service";

/** A response before the headers that every response has. */
export interface Answer {
  readonly status: number;
  /** Null: no body at all (204). */
  readonly body: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default "application/json" */
  readonly contentType?: string;
  /** The error code of a failure. */
  readonly errorCode?: string;
  /** The rest of the request is not read: the connection is closed after this response. @default false */
  readonly closesConnection?: boolean;
}

/** A success with `data`. */
export function success(data: unknown, { created = false }: { readonly created?: boolean } = {}): Answer {
  return { status: created ? 201 : 200, body: `{"success":true,"data":${JSON.stringify(data)}}` };
}

/** A record is stored as the JSON text of the response, so it is inserted as it is. */
export function recordSuccess({ json }: RecordText): Answer {
  return { status: 200, body: `{"success":true,"data":${json}}` };
}

export function pageSuccess<Row>({ rows, meta }: Page<Row>): Answer {
  return { status: 200, body: listBody(JSON.stringify(rows), meta) };
}

export function recordPageSuccess({ rows, meta }: Page<RecordText>): Answer {
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
): Answer {
  return {
    status,
    body: JSON.stringify({ success: false, error: { code, message } }),
    headers,
    errorCode: code,
  };
}
