import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { actOnWebhook, createWebhook, deleteWebhook, listWebhooks, testWebhook } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { parseHeaderOptions, parseJsonObject, readInput } from "../command-line/read-values.ts";
import { describeAttempt, printTable } from "../render/render-rows.ts";

/** What each action does, and the options that it takes. */
const actions: Readonly<
  Record<string, { readonly flags: readonly string[]; run(context: CommandContext): Promise<number> }>
> = {
  create: {
    flags: ["url", "events", "site", "name", "header", "max-per-second", "ordered", "body-form", "paused"],
    run: create,
  },
  test: { flags: ["event", "data", "delivery"], run: test },
  pause: { flags: [], run: (context) => act(context, "pause") },
  resume: { flags: [], run: (context) => act(context, "resume") },
  delete: { flags: [], run: remove },
};

export const webhooksCommand: Command = {
  name: "webhooks",
  description: "List webhooks, or create, test, pause, resume or delete one",
  group: "Deliveries",
  words: [
    {
      name: "ACTION",
      description: "create, test, pause, resume or delete. Without it, they are listed",
      values: Object.keys(actions),
      isOptional: true,
    },
    { name: "WEBHOOK", description: "For all but create: the id of the webhook", isOptional: true },
  ],
  options: [
    { flag: "url", value: "URL", description: "For create: where deliveries are sent" },
    {
      flag: "events",
      value: "LIST",
      description: "For create: event names with commas, or '*' for every event",
    },
    { flag: "site", value: "ID", description: "For create: only events of this site" },
    { flag: "name", value: "NAME", description: "For create: a name for it" },
    {
      flag: "header",
      value: "'NAME: VALUE'",
      description: "For create: a header that every delivery also has. May be repeated",
      repeats: true,
    },
    {
      flag: "max-per-second",
      value: "NUMBER",
      description: "For create: requests in a second at most, 1 to 1000. Default: no limit",
    },
    { flag: "ordered", description: "For create: one delivery after the other, in the order of publishing" },
    {
      flag: "body-form",
      value: "FORM",
      description: "For create: hookwright or standard. Default: that of the server",
    },
    { flag: "paused", description: "For create: it sends nothing until it is resumed, and can be tested" },
    { flag: "event", value: "EVENT", description: "For test: one of its events. Default: the first one" },
    {
      flag: "data",
      value: "FILE",
      description: "For test: send this JSON object in place of the sample. - is standard input",
    },
    { flag: "delivery", value: "ID", description: "For test: send the body of this delivery again" },
  ],
  examples: [
    { command: "hookwright webhooks", explanation: "List the webhooks" },
    {
      command: `hookwright webhooks --json | jq -r '.[] | select(.status != "active") | .id'`,
      explanation: "The ids of those that are paused or disabled",
    },
    {
      command: "hookwright webhooks create --url https://example.com/hooks --events order.created,order.paid",
      explanation: "Create one with two events. Its signing secret is shown only then",
    },
    {
      command: "hookwright webhooks create --url https://example.com/hooks --events '*' --paused",
      explanation: "Create one that sends nothing yet",
    },
    {
      command: "hookwright webhooks test wh_… --event order.paid --data order.json",
      explanation: "See what the endpoint makes of an unusual order",
    },
    {
      command: "hookwright webhooks test wh_… && hookwright webhooks resume wh_…",
      explanation: "Go live if the endpoint accepts a test",
    },
  ],
  notes: [
    "With an API key, these are the webhooks that it created. After `login --email`, these are all of the account.",
    "What happens while a webhook is paused is not sent: `hookwright recover WEBHOOK --missed` does it later. delete asks nothing, and cancels what is pending.",
    "A paused webhook can be tested until its endpoint has accepted a test or a delivery. The exit status is 1 if a test is not accepted.",
  ],
  async run(context) {
    const { options, words } = context;
    const [name, webhookId] = words;
    const action = name === undefined ? undefined : actions[name];
    if (name !== undefined && action === undefined)
      throw ownError(
        "wrong_usage",
        `unknown action ${JSON.stringify(name)}. The actions are: ${Object.keys(actions).join(", ")}.`,
      );
    for (const [other, { flags }] of Object.entries(actions)) {
      const flag = other === name ? undefined : flags.find((each) => options.has(each));
      if (flag !== undefined)
        throw ownError("wrong_usage", `--${flag} is for \`hookwright webhooks ${other}\`.`);
    }
    if (name === "create" && webhookId !== undefined)
      throw ownError("wrong_usage", `unexpected argument ${JSON.stringify(webhookId)}.`);
    return action === undefined ? list(context) : action.run(context);
  },
};

async function list({ output, connect }: CommandContext): Promise<number> {
  const rows = await listWebhooks(await connect());
  if (rows.length === 0) output.line("There are no webhooks that this credential can see.");
  else
    printTable(
      output,
      ["ID", "EVENT", "STATUS", "FAILURES", "TARGET"],
      rows.map((row) => [
        textOf(row, "id") ?? "",
        describeEvents(row),
        textOf(row, "status") ?? "",
        textOf(row, "consecutive_failures") ?? "",
        textOf(row, "target_url") ?? "",
      ]),
    );
  output.document(rows);
  return exitStatus.done;
}

async function create({ output, connect, options }: CommandContext): Promise<number> {
  const [url, events] = ["url", "events"].map((flag) => {
    const value = options.get(flag);
    if (value === undefined) throw ownError("wrong_usage", `--${flag} is missing.`);
    return value;
  });
  const names = String(events)
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const webhook = await createWebhook(await connect(), {
    url: String(url),
    events: names,
    site: options.get("site"),
    name: options.get("name"),
    headers: parseHeaderOptions(options.getAll("header")),
    maxPerSecond: options.get("max-per-second"),
    isOrdered: options.has("ordered"),
    bodyForm: options.get("body-form"),
    isPaused: options.has("paused"),
  });
  const id = textOf(webhook, "id") ?? "";
  const secret = textOf(webhook, "signing_secret");
  if (secret === undefined) output.line(`${id} exists already. Nothing was changed.`);
  else output.line(`${id} was created. Its signing secret, shown only now: ${secret}`);
  const standardSecret = textOf(webhook, "standard_signing_secret");
  if (standardSecret !== undefined && standardSecret !== secret)
    output.line(`The same secret for a library of Standard Webhooks: ${standardSecret}`);
  if (secret !== undefined && options.has("paused"))
    output.line(
      `It is paused. Test it with \`hookwright webhooks test ${id}\`, then go live with \`hookwright webhooks resume ${id}\`.`,
    );
  output.document(webhook);
  return exitStatus.done;
}

async function test(context: CommandContext): Promise<number> {
  const { output, connect, options, program } = context;
  const id = expectId(context);
  const [event, file, deliveryId] = ["event", "data", "delivery"].map((flag) => options.get(flag));
  if (deliveryId !== undefined && (event !== undefined || file !== undefined))
    throw ownError("wrong_usage", "--delivery cannot be used with --event or --data.");
  const data =
    file === undefined ? undefined : parseJsonObject("data", file, await readInput("data", file, program));
  const attempt = await testWebhook(await connect(), id, { event, data, deliveryId });
  output.line("Test: ", ...describeAttempt(attempt));
  output.document(attempt);
  return textOf(attempt, "error") === undefined ? exitStatus.done : exitStatus.negative;
}

async function act(context: CommandContext, action: "pause" | "resume"): Promise<number> {
  const { output, connect } = context;
  const id = expectId(context);
  const webhook = await actOnWebhook(await connect(), id, action);
  output.line(action === "pause" ? `${id} is paused.` : `${id} sends events from now on.`);
  output.document(webhook);
  return exitStatus.done;
}

async function remove(context: CommandContext): Promise<number> {
  const { output, connect } = context;
  const id = expectId(context);
  const deleted = await deleteWebhook(await connect(), id);
  output.line(`${id} was deleted.`);
  output.document(deleted);
  return exitStatus.done;
}

function expectId({ words: [action, id] }: CommandContext): string {
  if (id === undefined)
    throw ownError("wrong_usage", `WEBHOOK is missing: \`hookwright webhooks ${action} wh_…\`.`);
  return id;
}

/** @example describeEvents({ events: ["order.created", "order.paid"] }) // "order.created +1" */
function describeEvents(row: Row): string {
  const { events } = row;
  if (!Array.isArray(events) || events.length < 2) return textOf(row, "event") ?? "";
  return `${String(events[0])} +${events.length - 1}`;
}
