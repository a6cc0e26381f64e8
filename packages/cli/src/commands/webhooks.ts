import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { createWebhook, listWebhooks } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { printTable } from "../render/render-rows.ts";

export const webhooksCommand: Command = {
  name: "webhooks",
  description: "List the webhooks, or create one",
  group: "Deliveries",
  words: [
    {
      name: "ACTION",
      description: "create. Without it, they are listed",
      values: ["create"],
      isOptional: true,
    },
  ],
  options: [
    { flag: "url", value: "URL", description: "For create: where deliveries are sent" },
    {
      flag: "events",
      value: "LIST",
      description: "For create: event names with commas, or '*' for every event",
    },
    { flag: "site", value: "ID", description: "For create: only events of this site" },
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
  ],
  notes: [
    "With an API key, these are the webhooks that it created. After `login --email`, these are all of the account.",
  ],
  async run(context) {
    const { output, connect, words, options } = context;
    const [action] = words;
    if (action === "create") return create(context);
    const flag = ["url", "events", "site"].find((each) => options.has(each));
    if (action !== undefined)
      throw ownError("wrong_usage", `unknown action ${JSON.stringify(action)}. The action is: create.`);
    if (flag !== undefined) throw ownError("wrong_usage", `--${flag} is for \`hookwright webhooks create\`.`);
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
  },
};

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
  const site = options.get("site");
  const webhook = await createWebhook(await connect(), { url: String(url), events: names, site });
  const id = textOf(webhook, "id") ?? "";
  const secret = textOf(webhook, "signing_secret");
  if (secret === undefined) output.line(`${id} exists already. Nothing was changed.`);
  else output.line(`${id} was created. Its signing secret, shown only now: ${secret}`);
  output.document(webhook);
  return exitStatus.done;
}

/** @example describeEvents({ events: ["order.created", "order.paid"] }) // "order.created +1" */
function describeEvents(row: Row): string {
  const { events } = row;
  if (!Array.isArray(events) || events.length < 2) return textOf(row, "event") ?? "";
  return `${String(events[0])} +${events.length - 1}`;
}
