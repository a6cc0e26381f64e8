import { attemptErrors, explainAttempt, formatMs, goneBodies } from "@hookwright/domain";
import type { AttemptPhases, ExplainedAttempt } from "@hookwright/domain";
import { attemptsOf } from "../api/operations.ts";
import { numberOf, rowOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
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
  printPhases(output, attempt);
  const request = rowOf(attempt, "request") ?? {};
  output.line("  Request");
  printMessage(output, rowOf(request, "headers"), textOf(request, "body") ?? missingBody(attempt));
  const headers = rowOf(attempt, "headers");
  if (headers === undefined) return;
  output.line("  Response");
  printMessage(output, headers, textOf(attempt, "excerpt"));
}

/** Why the log has no bodies of an attempt. Undefined from a server that keeps all. */
export function missingBody(attempt: Row): string | undefined {
  const state = textOf(attempt, "body_state");
  if (state === "not_kept" || state === "erased")
    return `The bodies of this attempt are not in the log. ${goneBodies[state]}`;
  return undefined;
}

function printMessage(output: Output, headers: Row | undefined, body: string | undefined): void {
  for (const [name, value] of Object.entries(headers ?? {}))
    output.line(paint("dim", `    ${name}: ${String(value)}`));
  if (body === undefined || body === "") return;
  output.line();
  for (const line of splitLines(body)) output.line(`    ${line}`);
}

const phaseNames: Readonly<Record<keyof AttemptPhases, string>> = {
  queued_ms: "our queue",
  dns_ms: "DNS",
  connect_ms: "connect",
  tls_ms: "TLS",
  wait_ms: "first byte",
  read_ms: "reading",
};
const barColumns = 40;

/** A line for each phase, with a bar at its place in time. */
function printPhases(output: Output, attempt: Row): void {
  const shown = Object.entries(phasesOf(attempt)).flatMap(([name, ms]) =>
    ms === null ? [] : [{ name, ms }],
  );
  if (shown.length === 0) return;
  const total = shown.reduce((sum, { ms }) => sum + ms, 0) || 1;
  let elapsed = 0;
  for (const { name, ms } of shown) {
    const start = Math.min(barColumns - 1, Math.floor((elapsed / total) * barColumns));
    const bar = "█".repeat(Math.max(1, Math.round((ms / total) * barColumns)));
    elapsed += ms;
    const label = `${phaseNames[name as keyof AttemptPhases].padEnd(10)} ${formatMs(ms).padStart(8)}`;
    output.line(paint("dim", `    ${label}  `), `${" ".repeat(start)}${bar}`);
  }
  if (attempt["reused"] === true) output.line(paint("dim", "    The connection was open already."));
}

/** What came of an attempt, and who took its time. */
export function describeAttempt(attempt: Row): readonly Text[] {
  const { outcome, quote, note } = explainAttempt(toExplained(attempt));
  const isAccepted = textOf(attempt, "error") === undefined;
  const said = paint(isAccepted ? "green" : "red", outcome);
  return [said, quote === null ? "" : `: ${quote}`, note === null ? "" : ` ${note}`];
}

function toExplained(attempt: Row): ExplainedAttempt {
  const error = textOf(attempt, "error");
  return {
    status: numberOf(attempt, "status") ?? null,
    error: attemptErrors.find((each) => each === error) ?? null,
    detail: textOf(attempt, "detail") ?? null,
    excerpt: textOf(attempt, "excerpt") ?? null,
    duration_ms: numberOf(attempt, "duration_ms") ?? 0,
    phases: phasesOf(attempt),
  };
}

/** All null from a server that does not store them. */
function phasesOf(attempt: Row): AttemptPhases {
  const phases = rowOf(attempt, "phases") ?? {};
  return {
    queued_ms: numberOf(phases, "queued_ms") ?? null,
    dns_ms: numberOf(phases, "dns_ms") ?? null,
    connect_ms: numberOf(phases, "connect_ms") ?? null,
    tls_ms: numberOf(phases, "tls_ms") ?? null,
    wait_ms: numberOf(phases, "wait_ms") ?? null,
    read_ms: numberOf(phases, "read_ms") ?? null,
  };
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
