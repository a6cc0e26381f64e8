import type { IssueStatus } from "@hookwright/domain";
import { numberOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { listIssues, markIssue } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { parseSince } from "../command-line/read-values.ts";
import { printTable } from "../render/render-rows.ts";

const statuses: Readonly<Record<string, IssueStatus>> = {
  acknowledge: "acknowledged",
  ignore: "ignored",
  reopen: "open",
};

export const issuesCommand: Command = {
  name: "issues",
  description: "List equal failures, or acknowledge or ignore them",
  group: "Deliveries",
  words: [
    {
      name: "ACTION",
      description: "acknowledge, ignore or reopen. Without it, they are listed",
      values: Object.keys(statuses),
      isOptional: true,
    },
    { name: "ISSUE", description: "The id of the issue", isOptional: true },
  ],
  options: [
    { flag: "ignored", description: "List those that are ignored" },
    { flag: "webhook", value: "ID", description: "List only issues of this webhook" },
    {
      flag: "since",
      value: "AGE",
      description:
        "List only issues with a failure since this age or timestamp: 30m, 2d, 2026-11-20T09:30:00Z",
    },
  ],
  examples: [
    { command: "hookwright issues --since 1d", explanation: "What failed in a day, each failure once" },
    { command: "hookwright issues acknowledge iss_…", explanation: "Say that somebody knows" },
    { command: "hookwright deliveries --issue iss_…", explanation: "Its deliveries" },
    { command: "hookwright resend --issue iss_…", explanation: "Send them again" },
  ],
  notes: [
    "An issue is one webhook, one answer and the first line of the response. With an API key, these are the issues of the webhooks that it created.",
    "An acknowledged issue opens again if it recurs after a day without failures. An ignored one stays ignored.",
  ],
  run(context) {
    const { options, words } = context;
    const [action, id] = words;
    if (action === undefined) return list(context);
    const status = statuses[action];
    if (status === undefined)
      throw ownError(
        "wrong_usage",
        `unknown action ${JSON.stringify(action)}. The actions are: ${Object.keys(statuses).join(", ")}.`,
      );
    const flag = issuesCommand.options.find((option) => options.has(option.flag));
    if (flag !== undefined)
      throw ownError("wrong_usage", `--${flag.flag} is for the list: leave out ${JSON.stringify(action)}.`);
    if (id === undefined)
      throw ownError("wrong_usage", `ISSUE is missing: \`hookwright issues ${action} iss_…\`.`);
    return mark(context, id, status);
  },
};

async function list({ options, output, connect, now }: CommandContext): Promise<number> {
  const since = options.get("since");
  const isIgnored = options.has("ignored");
  const rows = await listIssues(await connect(), {
    status: isIgnored ? "ignored" : undefined,
    webhookId: options.get("webhook"),
    since: since === undefined ? undefined : parseSince(since, now()),
  });
  if (rows.length === 0) output.line(isIgnored ? "No issue is ignored." : "There are no issues.");
  else printTable(output, ["LAST", "MARK", "DELIVERIES", "ID", "WEBHOOK", "FAILURE"], rows.map(toCells));
  output.document(rows);
  return exitStatus.done;
}

function toCells(row: Row): readonly string[] {
  const answer = textOf(row, "http_status") ?? textOf(row, "error");
  const response = textOf(row, "response");
  return [
    textOf(row, "last_at") ?? "",
    textOf(row, "status") ?? "",
    String(numberOf(row, "deliveries") ?? ""),
    textOf(row, "id") ?? "",
    textOf(row, "webhook_id") ?? "",
    [answer ?? "other failures", ...(response === undefined ? [] : [response])].join(": "),
  ];
}

async function mark({ output, connect }: CommandContext, id: string, status: IssueStatus): Promise<number> {
  const issue = await markIssue(await connect(), id, status);
  output.line(`${id} is ${textOf(issue, "status") ?? status}.`);
  output.document(issue);
  return exitStatus.done;
}
