import type { Page } from "@hookwright/service";
import { z } from "zod";
import type { ApiResponse } from "./api-response.ts";

export const exportFormat = z
  .enum(["csv", "ndjson"], "must be csv or ndjson")
  .default("csv")
  .meta({ description: "`csv`, or `ndjson`: one JSON document in each line.", example: "csv" });

/** Rows that one read of an export takes. */
export const exportedAtOnce = 100;

export interface Export<Row extends object> {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly format: z.output<typeof exportFormat>;
  /** The fields of a row of CSV, in order: their names, or a heading and what is below it. */
  readonly columns: readonly ExportColumn<Row>[];
  readonly readPage: (cursor: string | undefined) => Promise<Page<Row>>;
}

type ExportColumn<Row> = (keyof Row & string) | readonly [heading: string, read: (row: Row) => unknown];

/** A list as a file. The next page is read when the client has taken the one before, so a slow client costs no memory. */
export async function exportResponse<Row extends object>(asked: Export<Row>): Promise<ApiResponse> {
  const { name, format, columns, readPage } = asked;
  const toLine =
    format === "csv"
      ? (row: Row) =>
          toCsvLine(columns.map((column) => (typeof column === "string" ? row[column] : column[1](row))))
      : toJsonLine;
  const heading = columns.map((column) => (typeof column === "string" ? column : column[0]));
  let text = format === "csv" ? toCsvLine(heading) : "";
  // Before the response begins: a filter that is not valid is refused.
  let first: Page<Row> | undefined = await readPage(undefined);
  let cursor: string | undefined;
  return {
    status: 200,
    contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
    headers: {
      "content-disposition": `attachment; filename="${name}.${format}"`,
      "cache-control": "no-store, no-transform",
    },
    body: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          // A filtered page may have no rows although another follows.
          for (let isSent = false; !isSent;) {
            const { rows, meta } = first ?? (await readPage(cursor));
            first = undefined;
            text += rows.map(toLine).join("");
            isSent = text !== "";
            if (isSent) controller.enqueue(Buffer.from(text));
            text = "";
            if (meta.next_cursor === null) return controller.close();
            cursor = meta.next_cursor;
          }
        },
      },
      { highWaterMark: 0 },
    ),
  };
}

function toJsonLine(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

/** A line as RFC 4180 defines it. */
export function toCsvLine(values: readonly unknown[]): string {
  return `${values.map(toCsvField).join(",")}\r\n`;
}

/** Spreadsheets take a text that begins like this as a formula, which may send data away. Some remove white space first. */
const formula = /^(?:[\t\r\n]|\s*[=+\-@])/u;

function toCsvField(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
