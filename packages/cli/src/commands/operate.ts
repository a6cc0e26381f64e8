import { numberOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { toTimestamp } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { CliError } from "../cli-error.ts";
import type { Command, CommandContext, GivenOptions } from "../command-line/command.ts";
import { connectAsHost } from "../command-line/connect-as-host.ts";
import { followJob } from "../command-line/follow-job.ts";
import { parseSince } from "../command-line/read-values.ts";

const setActions = ["turn-on", "pause", "resume", "disable", "enable"];
const actions = [...setActions, "test", "recover"];

export const operateCommand: Command = {
  name: "operate",
  description: "Turn on, pause, disable or recover webhooks of any account",
  group: "Operator",
  words: [{ name: "ACTION", description: actions.join(", "), values: actions }],
  common: ["server", "json"],
  options: [
    { flag: "webhook", value: "ID", description: "One webhook. Without it, all that the filter matches" },
    { flag: "account", value: "ID", description: "Only webhooks of this account", repeats: true },
    {
      flag: "status",
      value: "STATUS",
      description: "Only webhooks that are active, paused, switched_off or disabled_by_host",
    },
    {
      flag: "since",
      value: "AGE",
      description:
        "Only webhooks whose status changed at this age or timestamp or later: 2h, 2026-11-20T02:00:00Z. For recover: what is sent again",
    },
    { flag: "until", value: "AGE", description: "Only webhooks whose status changed before" },
    { flag: "host", value: "HOST", description: "Only webhooks whose URL has this host" },
    { flag: "recover", description: "Also send each webhook what it missed since its status changed" },
    { flag: "reason", value: "TEXT", description: "Needed to disable: what the owners read" },
    { flag: "dry-run", description: "Only count what the filter matches" },
    {
      flag: "server",
      value: "URL",
      description: "The server (HOOKWRIGHT_SERVER). Default: http://127.0.0.1:3000, whatever the last login",
    },
  ],
  examples: [
    {
      command: "hookwright operate turn-on --status switched_off --since 2h --recover --dry-run",
      explanation: "Count what an outage has switched off",
    },
    {
      command: "hookwright operate turn-on --status switched_off --since 2h --recover",
      explanation: "Turn it on again, and send what was missed",
    },
    {
      command: 'hookwright operate disable --webhook wh_… --reason "This URL belongs to somebody else."',
      explanation: "Stop one webhook. Its owner cannot lift it",
    },
    {
      command: "hookwright operate recover --webhook wh_… --since 2h",
      explanation: "Send one webhook what failed, was cancelled or was missed",
    },
  ],
  notes: [
    "The token is in HOOKWRIGHT_HOST_TOKEN, or in the file that HOOKWRIGHT_HOST_TOKEN_FILE names, as the server has it. It needs the scopes manage and read.",
    "The server does the work: Ctrl-C ends only the display.",
  ],
  async run(context) {
    const [action = ""] = context.words;
    if (!actions.includes(action))
      throw wrongUsage(`${JSON.stringify(action)} is none of ${actions.join(", ")}.`);
    if (action !== "disable" && context.options.has("reason"))
      throw wrongUsage("--reason is only for disable, because the owners read it.");
    const webhookId = context.options.get("webhook");
    if (webhookId === undefined) return runOnMany(context, action);
    return runOnOne(context, action, webhookId);
  },
};

async function runOnOne(context: CommandContext, action: string, webhookId: string): Promise<number> {
  const { options, output, now } = context;
  const refused = ["account", "status", "until", "host", "dry-run", "recover"].find((flag) =>
    options.has(flag),
  );
  if (refused !== undefined) throw wrongUsage(`--${refused} is not for one webhook. Leave out --webhook.`);
  if (action !== "recover" && options.has("since"))
    throw wrongUsage(`--since is not for one webhook, unless it recovers.`);
  const api = await connectAsHost(context);
  const path = `/host/v1/webhooks/${encodeURIComponent(webhookId)}`;
  if (action === "recover") {
    const since = options.get("since");
    if (since === undefined) throw wrongUsage("--since is missing: how far back?");
    const body = { since: toTimestamp(parseSince(since, now())), missed: true };
    const recovery = await api.send({ method: "POST", path: `${path}/recoveries`, body });
    output.line(`Recovery ${textOf(recovery, "id") ?? ""} sends ${numberOf(recovery, "found") ?? 0} again.`);
    output.document(recovery);
    return exitStatus.done;
  }
  const body = action === "disable" ? { reason: options.get("reason") } : undefined;
  const answer = await api.send({ method: "POST", path: `${path}/${action}`, body });
  output.document(answer);
  if (action !== "test") {
    output.line(`${webhookId} is ${textOf(answer, "status") ?? "unknown"}.`);
    return exitStatus.done;
  }
  const error = textOf(answer, "error");
  const response = textOf(answer, "status");
  output.line(
    response === undefined ? `The endpoint did not answer: ${error}.` : `The endpoint answered ${response}.`,
  );
  return error === undefined ? exitStatus.done : exitStatus.negative;
}

async function runOnMany(context: CommandContext, action: string): Promise<number> {
  const { options, output } = context;
  if (!setActions.includes(action)) throw wrongUsage(`--webhook is missing: ${action} is for one webhook.`);
  const body = {
    action,
    filter: toFilter(options, context.now()),
    recover: options.has("recover"),
    reason: options.get("reason"),
    dry_run: options.has("dry-run"),
  };
  const path = "/host/v1/webhooks/actions";
  const api = await connectAsHost(context);
  const job = await api.send({ method: "POST", path, body });
  if (body.dry_run) {
    const found = numberOf(job, "found") ?? 0;
    output.line(`${found} ${found === 1 ? "webhook matches" : "webhooks match"}. Nothing was changed.`);
    output.document(job);
    return exitStatus.done;
  }
  return followJob(context, job, {
    kind: "job",
    title: (id) => `job ${id}`,
    describe: describeProgress,
    read: (id) => api.send({ method: "GET", path: `${path}/${encodeURIComponent(id)}` }),
  });
}

function describeProgress(job: Row): string {
  const recoveries = numberOf(job, "recoveries") ?? 0;
  const started = recoveries === 0 ? "" : `, ${recoveries} recoveries started`;
  return `${numberOf(job, "changed") ?? 0} of ${numberOf(job, "found") ?? 0} changed${started}`;
}

function toFilter(options: GivenOptions, now: number) {
  const time = (flag: string): string | undefined => {
    const text = options.get(flag);
    return text === undefined ? undefined : toTimestamp(parseSince(text, now));
  };
  const accounts = options.getAll("account");
  return {
    account_ids: accounts.length === 0 ? undefined : accounts,
    status: options.get("status"),
    status_changed_since: time("since"),
    status_changed_until: time("until"),
    target_host: options.get("host"),
  };
}

function wrongUsage(message: string): CliError {
  return ownError("wrong_usage", `${message} See \`hookwright operate --help\`.`);
}
