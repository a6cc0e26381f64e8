import { textOf } from "../api/fields.ts";
import { listWebhooks } from "../api/operations.ts";
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { printTable } from "../render/render-rows.ts";

export const webhooksCommand: Command = {
  name: "webhooks",
  description: "List the webhooks",
  group: "Deliveries",
  options: [],
  examples: [
    { command: "hookwright webhooks", explanation: "List the webhooks" },
    {
      command: `hookwright webhooks --json | jq -r '.[] | select(.status != "active") | .id'`,
      explanation: "The ids of those that are paused or disabled",
    },
  ],
  notes: [
    "With an API key, these are the webhooks that it created. After `login --email`, these are all of the account.",
  ],
  async run({ output, connect }) {
    const rows = await listWebhooks(await connect());
    if (rows.length === 0) output.line("There are no webhooks that this credential can see.");
    else
      printTable(
        output,
        ["ID", "EVENT", "STATUS", "FAILURES", "TARGET"],
        rows.map((row) => [
          textOf(row, "id") ?? "",
          textOf(row, "event") ?? "",
          textOf(row, "status") ?? "",
          textOf(row, "consecutive_failures") ?? "",
          textOf(row, "target_url") ?? "",
        ]),
      );
    output.document(rows);
    return exitStatus.done;
  },
};
