import { attemptsOf } from "../api/operations.ts";
import { numberOf, rowOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { formatMs } from "../terminal/format-ms.ts";
import { paint } from "../terminal/output.ts";
import type { Output, Style, Text } from "../terminal/output.ts";
import { renderTable } from "../terminal/table.ts";

/** Prints rows as a table with a heading. The column `Status` is coloured. */
export function printTable(
  output: Output,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const status = heading.indexOf("STATUS");
  const lines = renderTable([heading, ...rows], (cell, row, column) =>
    row === 0 ? paint("dim", cell) : column === status ? paintStatus(cell) : cell,
  );
  for (const line of lines) output.line(...line);
}

const styles: Readonly<Record<string, Style>> = {
  delivered: "green",
  active: "green",
  finished: "green",
  failed: "red",
  switched_off: "red",
  disabled_by_host: "red",
  cancelled: "yellow",
  paused: "yellow",
  stopped: "yellow",
  pending: "cyan",
  running: "cyan",
};

/** Colours the name of a state, which may be padded. */
export function paintStatus(text: string): Text {
  const style = styles[text.trim()];
  return style === undefined ? text : paint(style, text);
}

export const deliveryHeading = ["CREATED", "STATUS", "EVENT", "ATTEMPTS", "ANSWER", "ID", "BODY ID"];

export function toDeliveryCells(row: Row): readonly string[] {
  const kind = textOf(row, "kind");
  return [
    textOf(row, "created_at") ?? "",
    textOf(row, "status") ?? "",
    textOf(row, "event") ?? "",
    textOf(row, "attempts_made") ?? "",
    // The error class is `status` for an answer that is not 2xx.
    textOf(row, "last_status") ?? textOf(row, "last_error") ?? "",
    textOf(row, "id") ?? "",
    `${textOf(row, "body_id") ?? ""}${kind === undefined || kind === "event" ? "" : ` (${kind})`}`,
  ];
}

/** One line for each change, while following. */
export function toDeliveryLine(row: Row): readonly Text[] {
  const [created = "", status = "", event = "", attempts = "", answer = "", id = "", bodyId = ""] =
    toDeliveryCells(row);
  const count = `${attempts} ${attempts === "1" ? "attempt" : "attempts"}`;
  return [
    `${created}  `,
    paintStatus(status.padEnd(9)),
    `  ${event.padEnd(23)}  ${count.padEnd(10)}  ${answer.padEnd(15)}  ${id}  ${bodyId}`,
  ];
}

/** Prints a delivery with its attempts. */
export function printDelivery(output: Output, delivery: Row): void {
  const fields = [
    ["Delivery", textOf(delivery, "id")],
    ["Status", textOf(delivery, "status")],
    ["Reason", textOf(delivery, "cancel_reason")],
    ["Event", textOf(delivery, "event")],
    ["Body id", textOf(delivery, "body_id")],
    ["Site", textOf(delivery, "project_id")],
    ["Kind", textOf(delivery, "kind")],
    ["Webhook", textOf(delivery, "webhook_id")],
    ["Target", textOf(delivery, "target_url")],
    ["Created", textOf(delivery, "created_at")],
    ["Completed", textOf(delivery, "completed_at")],
    ["Next", textOf(delivery, "next_attempt_at")],
  ];
  const rows = fields.flatMap(([label = "", value]) => (value === undefined ? [] : [[label, value]]));
  printFields(output, rows);
  const attempts = attemptsOf(delivery);
  if (attempts.length === 0) {
    output.line();
    output.line("There is no attempt yet.");
  }
  for (const attempt of attempts) printAttempt(output, attempt);
}

function printAttempt(output: Output, attempt: Row): void {
  output.line();
  output.line(paint("bold", `Attempt ${textOf(attempt, "number") ?? "?"}: `), ...describeAttempt(attempt));
  output.line(paint("dim", `  at ${textOf(attempt, "started_at") ?? "?"}`));
  const request = rowOf(attempt, "request") ?? {};
  output.line("  Request");
  printMessage(output, rowOf(request, "headers"), textOf(request, "body"));
  const headers = rowOf(attempt, "headers");
  if (headers === undefined) return;
  output.line("  Response");
  printMessage(output, headers, textOf(attempt, "excerpt"));
}

function printMessage(output: Output, headers: Row | undefined, body: string | undefined): void {
  for (const [name, value] of Object.entries(headers ?? {}))
    output.line(paint("dim", `    ${name}: ${String(value)}`));
  if (body === undefined || body === "") return;
  output.line();
  for (const line of splitLines(body)) output.line(`    ${line}`);
}

/** The outcome of an attempt: `200 in 12 ms`, or `timeout in 10000 ms: …`. */
export function describeAttempt(attempt: Row): readonly Text[] {
  const error = textOf(attempt, "error");
  const outcome = textOf(attempt, "status") ?? error ?? "?";
  const duration = numberOf(attempt, "duration_ms");
  const detail = textOf(attempt, "detail");
  return [
    paint(error === undefined ? "green" : "red", outcome),
    ` in ${duration === undefined ? "?" : formatMs(duration)}${detail === undefined ? "" : `: ${detail}`}`,
  ];
}

/** Prints names and values, one pair in each line. The status is coloured. */
export function printFields(output: Output, rows: readonly (readonly string[])[]): void {
  const lines = renderTable(rows, (cell, row, column) => {
    if (column === 0) return paint("dim", cell);
    return rows[row]?.[0] === "Status" ? paintStatus(cell) : cell;
  });
  for (const line of lines) output.line(...line);
}

/** The lines of a text of another program. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r?\n/u);
}
