import { formatMs } from "@hookwright/domain";
import { exitStatus } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { parseEvents, parseTarget } from "../command-line/read-values.ts";
import { createQueue } from "../listen/forward-queue.ts";
import { forward } from "../listen/forward.ts";
import type { ForwardResult } from "../listen/forward.ts";
import { headerOf, namesOf, readBody, signAgain, signedAt } from "../listen/received-delivery.ts";
import type { ReceivedDelivery } from "../listen/received-delivery.ts";
import { createResultReporter } from "../listen/report-results.ts";
import { runListener } from "../listen/run-listener.ts";
import type { Listener } from "../listen/run-listener.ts";
import { splitLines } from "../render/render-rows.ts";
import { paint } from "../terminal/output.ts";
import type { Output, Text } from "../terminal/output.ts";

/** As many as the service sends to one endpoint at a time when it starts. */
const concurrentForwards = 8;
/** Deliveries that wait in memory. The others wait on the server. */
const waitingForwards = 100;
/** Receivers refuse a signature after five minutes, and need some of this time themselves. */
const oldSignatureMs = 60_000;

export const listenCommand: Command = {
  name: "listen",
  description: "Receive events on this machine, and forward them to a URL",
  group: "Develop",
  options: [
    {
      flag: "forward",
      value: "URL",
      description: "Send each event to this URL. Without it, events are printed",
    },
    {
      flag: "events",
      value: "LIST",
      description: "Only these, such as order.* or order.paid,booking.created",
    },
    { flag: "site", value: "ID", description: "Only events of this site" },
    { flag: "json", description: "Print JSON: one document per line" },
  ],
  examples: [
    {
      command: "hookwright listen --forward http://localhost:8080/webhooks",
      explanation: "Forward all events to a local program",
    },
    {
      command: "hookwright listen --events 'order.*' --site site_shop",
      explanation: "Print the orders of one site",
    },
    {
      command: `hookwright listen --json | jq -r 'select(.type == "delivery") | .body'`,
      explanation: "Use the events in a script",
    },
  ],
  notes: [
    "The signing secret that is printed first is valid until the command ends. Your program needs it to verify the events.",
    "Press r to send the last event again, with a new signature, and q or Ctrl-C to stop. After a lost connection the command continues without losing events, if the connection is back within ten minutes.",
    "While a slow program lets 100 events wait, the others wait on the server. It keeps 1,000 events or 4 MiB for all listeners of an account, drops the oldest, and then a warning says so. An event that is older than a minute is signed again before it is forwarded.",
    "The console shows the results of at most 30 events a minute.",
  ],
  async run(context) {
    const { options, output, program } = context;
    const forwardTo = options.get("forward");
    const target = forwardTo === undefined ? undefined : parseTarget("forward", forwardTo);
    const events = parseEvents(options.get("events"));
    const site = options.get("site");
    const api = await context.connect();
    const reporter = createResultReporter({ api, remark: output.remark, now: context.now });
    const quit = new AbortController();
    const signal = AbortSignal.any([context.signal, quit.signal]);
    // A listener without a reader would take one of the ten places of the account.
    program.onOutputEnd(() => quit.abort());

    let listener: Listener = { id: "", signingSecret: "", expiresAt: undefined };
    let last: ReceivedDelivery | undefined;
    const queue = createQueue({ running: concurrentForwards, waiting: waitingForwards });

    const signNow = (delivery: ReceivedDelivery): ReceivedDelivery =>
      signAgain(delivery, { secret: listener.signingSecret, now: context.now() });
    const handle = async (received: ReceivedDelivery): Promise<void> => {
      if (signal.aborted) return;
      const receivedAt = context.now();
      if (target === undefined) return printDelivery(output, received, receivedAt);
      const { id } = listener;
      const hasWaited = receivedAt - (signedAt(received) ?? receivedAt) > oldSignatureMs;
      const delivery = hasWaited ? signNow(received) : received;
      const result = await forward(delivery, { target, signal });
      // A request that the end of the command aborts has no result.
      if (signal.aborted && result.status === null) return;
      printResult(output, delivery, result, receivedAt);
      reporter.report(id, delivery.id, result);
    };
    const repeat = (): void => {
      if (last === undefined) return output.remark("There is no event to repeat yet.");
      if (queue.isFull) return output.remark("hookwright: too many events are waiting to repeat one.");
      const delivery = signNow(last);
      output.line(paint("dim", "Repeating the last event."));
      void queue.add(() => handle(delivery));
    };
    const stopKeys = program.keyboard.isTerminal
      ? program.keyboard.onKey((key) => {
          if (key === "r" || key === "R") repeat();
          if (key === "q" || key === "Q") quit.abort();
        })
      : () => {};
    try {
      await runListener({
        api,
        events,
        site,
        signal,
        sleep: context.sleep,
        onListener(created, isFirst) {
          listener = created;
          if (isFirst) printStart(context, { listener, target, events, site });
          else printReplacement(output, listener);
        },
        onDelivery(delivery) {
          last = delivery;
          return queue.add(() => handle(delivery));
        },
        onDropped(message) {
          output.remark(`hookwright: warning: ${message}`);
          output.row({ type: "dropped", message });
        },
        onLost: (reason, waitMs) =>
          output.remark(
            `hookwright: ${trimStop(reason)}. Connecting again in ${(waitMs / 1_000).toFixed(1)} s.`,
          ),
        onReconnected: () => output.remark("hookwright: connected again."),
        onNotDeleted: (reason) =>
          output.remark(
            `hookwright: the listener could not be deleted: ${trimStop(reason)}. The server removes it after ten minutes.`,
          ),
        beforeDelete: async () => {
          await queue.finished();
          await reporter.flush();
        },
      });
    } finally {
      stopKeys();
    }
    return exitStatus.done;
  },
};

function printStart(
  { output, program }: CommandContext,
  {
    listener,
    target,
    events,
    site,
  }: {
    readonly listener: Listener;
    readonly target: URL | undefined;
    readonly events: readonly string[];
    readonly site: string | undefined;
  },
): void {
  const names = events.length === 0 ? "all events" : events.join(", ");
  output.line(`Listening for ${names}${site === undefined ? "" : ` of ${site}`}.`);
  output.line("Signing secret: ", paint("bold", listener.signingSecret));
  if (target !== undefined) output.line(`Forwarding to ${target.href}`);
  const keys =
    target === undefined ? "q or Ctrl-C to stop" : "r to repeat the last event, q or Ctrl-C to stop";
  if (program.keyboard.isTerminal) output.line(paint("dim", `Press ${keys}.`));
  output.line();
  output.row({
    type: "listening",
    id: listener.id,
    signing_secret: listener.signingSecret,
    events: events.length === 0 ? null : events,
    project_id: site ?? null,
    forward: target?.href ?? null,
  });
}

function printReplacement(output: Output, listener: Listener): void {
  output.remark(
    "hookwright: the server has removed the listener, so there is a new one. Events in between are lost.",
  );
  output.line("Signing secret: ", paint("bold", listener.signingSecret));
  output.row({ type: "listening", id: listener.id, signing_secret: listener.signingSecret });
}

function printDelivery(output: Output, delivery: ReceivedDelivery, receivedAt: number): void {
  output.line(...describe(delivery, receivedAt));
  for (const [name, value] of Object.entries(delivery.headers))
    output.line(paint("dim", `  ${name}: ${value}`));
  for (const line of splitLines(delivery.body)) output.line(`  ${line}`);
  output.line();
  output.row(toRow(delivery, undefined));
}

function printResult(
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

/** Reasons become part of a sentence. */
function trimStop(reason: string): string {
  return reason.replace(/\.$/u, "");
}
