import { deliveryStates } from "@hookwright/domain";
import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { expectNames, listDeliveries } from "../api/operations.ts";
import type { DeliveryFilters } from "../api/operations.ts";
import { CliError, exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext, GivenOptions } from "../command-line/command.ts";
import { parseSince, readChoice } from "../command-line/read-values.ts";
import { createDeliveryFollower } from "../follow/follow-deliveries.ts";
import { deliveryHeading, printTable, toDeliveryCells, toDeliveryLine } from "../render/render-rows.ts";

const shownWithoutSince = 25;
const pageSize = 100;
const mostShown = 1_000;
/** Between attempts while the server cannot be reached, or refuses without `Retry-After`. */
const retryMs = 5_000;

export const deliveriesCommand: Command = {
  name: "deliveries",
  description: "List deliveries, newest first, or follow them",
  group: "Deliveries",
  options: [
    { flag: "failed", description: "Only deliveries that failed: --status failed" },
    { flag: "status", value: "STATUS", description: `Only these: ${deliveryStates.join(", ")}` },
    { flag: "event", value: "NAME", description: "Only deliveries of this event" },
    { flag: "site", value: "ID", description: "Only deliveries of this site" },
    {
      flag: "since",
      value: "AGE",
      description: "Back to this age or timestamp: 30m, 1h, 2d, 2026-11-20T09:30:00Z",
    },
    { flag: "webhook", value: "ID", description: "Only deliveries of this webhook" },
    {
      flag: "search",
      value: "TEXT",
      description:
        "Only those of a record id or its beginning, an order number, an e-mail address or a webhook",
    },
    { flag: "issue", value: "ID", description: "Only those with the failure of this issue" },
    { flag: "follow", description: "Print changes as they happen, until Ctrl-C" },
    { flag: "json", description: "Print JSON: one document, or with --follow one per line" },
  ],
  examples: [
    { command: "hookwright deliveries", explanation: `The last ${shownWithoutSince} deliveries` },
    { command: "hookwright deliveries --failed --since 1h", explanation: "What failed in the last hour" },
    { command: "hookwright deliveries --follow --webhook wh_…", explanation: "Watch one webhook" },
    {
      command: "hookwright deliveries --failed --since 1d --json | jq -r '.[].id'",
      explanation: "The ids for a script",
    },
    {
      command: "hookwright deliveries --event order.paid --status pending --site site_shop",
      explanation: "What waits of one event of one site",
    },
    { command: "hookwright deliveries --search ord_1001", explanation: "What became of an order" },
  ],
  notes: [
    `Without --since, it lists the last ${shownWithoutSince} deliveries. With it, at most the last ${mostShown.toLocaleString("en-GB")}.`,
    "--follow sends at most 30 requests a minute. The server allows an account 200.",
  ],
  async run(context) {
    const { options, output } = context;
    const text = options.get("since");
    const status = readStatus(options);
    const filters = {
      status,
      event: options.get("event"),
      site: options.get("site"),
      webhookId: options.get("webhook"),
      since: text === undefined ? undefined : parseSince(text, context.now()),
    };
    const [search, issue] = [options.get("search"), options.get("issue")];
    if (options.has("follow")) {
      const flag = ["search", "issue"].find((each) => options.has(each));
      if (flag === undefined) return await follow(context, filters);
      throw ownError(
        "wrong_usage",
        `--${flag} cannot be used with --follow. Use --webhook to follow one webhook.`,
      );
    }
    const api = await context.connect();
    const limit = filters.since === undefined ? shownWithoutSince : mostShown;
    const rows: Row[] = [];
    let isCut = false;
    const all = { ...filters, search, issue };
    for await (const page of listDeliveries(api, all, Math.min(limit, pageSize))) {
      rows.push(...page);
      isCut = filters.since !== undefined && rows.length >= limit;
      if (rows.length >= limit) break;
    }
    if (rows.length === 0) await expectNames(api, filters);
    if (rows.length === 0)
      output.line(`There are no ${status === undefined ? "" : `${status} `}deliveries here.`);
    else printTable(output, deliveryHeading, rows.map(toDeliveryCells));
    if (isCut) output.remark(`hookwright: only the last ${limit} are listed. Use a shorter --since.`);
    output.document(rows);
    return exitStatus.done;
  },
};

/** @throws {CliError} `wrong_usage` */
function readStatus(options: GivenOptions): string | undefined {
  if (!options.has("failed")) return readChoice(options, "status", deliveryStates);
  if (!options.has("status")) return "failed";
  throw ownError("wrong_usage", "--failed and --status exclude each other. Give one of them.");
}

async function follow(context: CommandContext, filters: DeliveryFilters): Promise<number> {
  const { output, program } = context;
  const api = await context.connect();
  await expectNames(api, filters);
  const quit = new AbortController();
  const signal = AbortSignal.any([context.signal, quit.signal]);
  program.onOutputEnd(() => quit.abort());
  const sleep = (milliseconds: number): Promise<void> => context.sleep(milliseconds, signal);
  const follower = createDeliveryFollower({ api, ...filters, now: context.now, sleep });
  let isLost = false;
  while (!signal.aborted) {
    try {
      for (const row of await follower.poll()) {
        if (!matches(row, filters)) continue;
        output.line(...toDeliveryLine(row));
        output.row(row);
      }
      if (isLost) output.remark("hookwright: connected again.");
      isLost = false;
    } catch (error) {
      if (signal.aborted) break;
      // What changes meanwhile is found by the next poll.
      if (!(error instanceof CliError) || !isPassing(error)) throw error;
      const waitMs = error.retryAfterMs ?? retryMs;
      if (!isLost)
        output.remark(`hookwright: ${error.message} Trying again in ${Math.ceil(waitMs / 1_000)} s.`);
      isLost = true;
      await sleep(waitMs).catch(() => {
        // The loop ends because the signal is aborted.
      });
    }
  }
  return exitStatus.done;
}

function matches(row: Row, { status, event, site }: DeliveryFilters): boolean {
  return [
    ["status", status],
    ["event", event],
    ["project_id", site],
  ].every(([name = "", wanted]) => wanted === undefined || textOf(row, name) === wanted);
}

function isPassing({ code }: CliError): boolean {
  return code === "server_unreachable" || code === "internal_error" || code === "rate_limited";
}
