import { formatMs } from "@hookwright/domain";
import type { CommandContext } from "../command-line/command.ts";
import { splitLines } from "../render/render-rows.ts";
import { paint } from "../terminal/output.ts";
import type { Output, Text } from "../terminal/output.ts";
import type { ForwardResult } from "./forward.ts";
import { headerOf, namesOf, readBody } from "./received-delivery.ts";
import type { ReceivedDelivery } from "./received-delivery.ts";

export interface ListenStart {
  readonly id: string;
  /** Undefined: the program has it already, or can ask for it. */
  readonly secret: string | undefined;
  /** Whether it is that of `--secret`. */
  readonly isGiven: boolean;
  readonly target: URL | undefined;
  readonly events: readonly string[];
  readonly site: string | undefined;
}

export function printStart(
  { output, program }: Pick<CommandContext, "output" | "program">,
  { id, secret, isGiven, target, events, site }: ListenStart,
): void {
  const names = events.length === 0 ? "all events" : events.join(", ");
  output.line(`Listening for ${names}${site === undefined ? "" : ` of ${site}`}.`);
  if (secret !== undefined) output.line("Signing secret: ", paint("bold", secret));
  else if (!isGiven) output.line("Signing secret: `hookwright listen --print-secret` prints it");
  if (target !== undefined) output.line(`Forwarding to ${target.href}`);
  const keys =
    target === undefined ? "q or Ctrl-C to stop" : "r to repeat the last event, q or Ctrl-C to stop";
  if (program.keyboard.isTerminal) output.line(paint("dim", `Press ${keys}.`));
  output.line();
  output.row({
    type: "listening",
    id,
    ...(secret === undefined ? {} : { signing_secret: secret }),
    events: events.length === 0 ? null : events,
    project_id: site ?? null,
    forward: target?.href ?? null,
  });
}

export function printReplacement(output: Output, id: string, secret: string | undefined): void {
  output.remark(
    "hookwright: the server has removed the listener, so there is a new one. Events in between are lost.",
  );
  if (secret !== undefined) output.line("Signing secret: ", paint("bold", secret));
  output.row({ type: "listening", id, ...(secret === undefined ? {} : { signing_secret: secret }) });
}

export function printDelivery(output: Output, delivery: ReceivedDelivery, receivedAt: number): void {
  output.line(...describe(delivery, receivedAt));
  for (const [name, value] of Object.entries(delivery.headers))
    output.line(paint("dim", `  ${name}: ${value}`));
  for (const line of splitLines(delivery.body)) output.line(`  ${line}`);
  output.line();
  output.row(toRow(delivery, undefined));
}

export function printResult(
  output: Output,
  delivery: ReceivedDelivery,
  result: ForwardResult,
  receivedAt: number,
): void {
  const { status, durationMs, excerpt, error } = result;
  const isAccepted = status !== null && status >= 200 && status < 300;
  const outcome = paint(isAccepted ? "green" : "red", status === null ? "failed" : String(status));
  output.line(...describe(delivery, receivedAt), "  ", outcome, ` in ${formatMs(durationMs)}`);
  const text = (error ?? excerpt).trim();
  if (text !== "") for (const line of splitLines(text)) output.line("  ", paint("dim", line));
  output.row(toRow(delivery, result));
}

function toRow(delivery: ReceivedDelivery, result: ForwardResult | undefined): unknown {
  return {
    type: "delivery",
    id: delivery.id,
    ...toNames(delivery),
    headers: delivery.headers,
    body: delivery.body,
    response:
      result === undefined
        ? null
        : {
            status: result.status,
            duration_ms: result.durationMs,
            body: result.excerpt,
            error: result.error ?? null,
          },
  };
}

function toNames(delivery: ReceivedDelivery): object {
  const { event, bodyId } = readBody(delivery.body);
  return { event, body_id: bodyId, test: isTest(delivery) };
}

/** The time, the event and the id. */
function describe(delivery: ReceivedDelivery, receivedAt: number): readonly Text[] {
  const { event } = readBody(delivery.body);
  const mark = isTest(delivery) ? "  test" : "";
  return [`${toClock(receivedAt)}  `, paint("bold", event), `  ${delivery.id}${mark}`];
}

function isTest({ headers }: ReceivedDelivery): boolean {
  return headerOf(headers, namesOf(headers).test) === "1";
}

/** The local time of day, as `14:03:11`. */
function toClock(milliseconds: number): string {
  const date = new Date(milliseconds);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}
