import { attemptsOf } from "../api/operations.ts";
import { numberOf, rowOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { Output, Style } from "../terminal/output.ts";
import { renderTable } from "../terminal/table.ts";

/** Prints rows as a table with a heading. The column `Status` is coloured. */
export function printTable(
  output: Output,
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const status = heading.indexOf("STATUS");
  const lines = renderTable([heading, ...rows], (cell, row, column) =>
    row === 0 ? output.paint("dim", cell) : column === status ? paintStatus(output, cell) : cell,
  );
  for (const line of lines) output.line(line);
}

const styles: Readonly<Record<string, Style>> = {
  delivered: "green",
  active: "green",
  finished: "green",
  failed: "red",
  switched_off: "red",
  cancelled: "yellow",
  paused: "yellow",
  stopped: "yellow",
  pending: "cyan",
  running: "cyan",
};

/** Colours the name of a state, which may be padded. */
export function paintStatus(output: Output, text: string): string {
  const style = styles[text.trim()];
  return style === undefined ? text : output.paint(style, text);
}

export const deliveryHeading = ["CREATED", "STATUS", "EVENT", "ATTEMPTS", "ID", "BODY ID"];

export function toDeliveryCells(row: Row): readonly string[] {
  const kind = textOf(row, "kind");
  return [
    textOf(row, "created_at") ?? "",
    textOf(row, "status") ?? "",
    textOf(row, "event") ?? "",
    textOf(row, "attempts_made") ?? "",
    textOf(row, "id") ?? "",
    `${textOf(row, "body_id") ?? ""}${kind === undefined || kind === "event" ? "" : ` (${kind})`}`,
  ];
}

/** One line for each change, while following. */
export function toDeliveryLine(output: Output, row: Row): string {
  const [created = "", status = "", event = "", attempts = "", id = "", bodyId = ""] = toDeliveryCells(row);
  const count = `${attempts} ${attempts === "1" ? "attempt" : "attempts"}`;
  return `${created}  ${paintStatus(output, status.padEnd(9))}  ${event.padEnd(23)}  ${count.padEnd(10)}  ${id}  ${bodyId}`;
}

/** Prints a delivery with its attempts. */
export function printDelivery(output: Output, delivery: Row): void {
  const fields = [
    ["Delivery", textOf(delivery, "id")],
    ["Status", paintStatus(output, textOf(delivery, "status") ?? "")],
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
  for (const line of renderTable(rows, (cell, _, column) =>
    column === 0 ? output.paint("dim", cell) : cell,
  ))
    output.line(line);
  const attempts = attemptsOf(delivery);
  if (attempts.length === 0) output.line("\nThere is no attempt yet.");
  for (const attempt of attempts) printAttempt(output, attempt);
}

function printAttempt(output: Output, attempt: Row): void {
  output.line();
  output.line(
    output.paint("bold", `Attempt ${textOf(attempt, "number") ?? "?"}: `) + describeAttempt(output, attempt),
  );
  output.line(output.paint("dim", `  at ${textOf(attempt, "started_at") ?? "?"}`));
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
    output.line(output.paint("dim", `    ${name}: ${String(value)}`));
  if (body === undefined || body === "") return;
  output.line();
  for (const line of body.split("\n")) output.line(`    ${line}`);
}

/** The outcome of an attempt: `200 in 12 ms`, or `timeout in 10000 ms: …`. */
export function describeAttempt(output: Output, attempt: Row): string {
  const error = textOf(attempt, "error");
  const status = textOf(attempt, "status");
  const outcome = output.paint(error === undefined ? "green" : "red", status ?? error ?? "?");
  const detail = textOf(attempt, "detail");
  return `${outcome} in ${numberOf(attempt, "duration_ms") ?? "?"} ms${detail === undefined ? "" : `: ${detail}`}`;
}
