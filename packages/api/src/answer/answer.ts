import type { Page, RecordText } from "@hookwright/service";

/** What is answered, before the headers that every answer has. */
export interface Answer {
  readonly status: number;
  /** Null: no body at all (204). */
  readonly body: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default "application/json" */
  readonly contentType?: string;
  /** The error code, where it is one. */
  readonly errorCode?: string;
  /** The rest of the request is not read: the connection is closed behind this answer. @default false */
  readonly closesConnection?: boolean;
}

/** A success with something to tell. */
export function success(data: unknown, { created = false }: { readonly created?: boolean } = {}): Answer {
  return { status: created ? 201 : 200, body: `{"success":true,"data":${JSON.stringify(data)}}` };
}

/** A record is stored as the JSON text that is answered: it is spliced in as it is. */
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
