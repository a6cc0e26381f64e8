import { numberOf } from "../api/fields.ts";
import { getRecovery, startRecovery } from "../api/operations.ts";
import { ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { followJob } from "../command-line/follow-job.ts";
import { parseSince } from "../command-line/read-values.ts";

export const recoverCommand: Command = {
  name: "recover",
  description: "Send again what a webhook did not accept, and show the progress",
  group: "Deliveries",
  words: [{ name: "WEBHOOK", description: "The id of the webhook" }],
  options: [
    {
      flag: "since",
      value: "AGE",
      description: "Required. Back to this age or timestamp: 30m, 2h, 2026-11-20T09:30:00Z",
    },
    { flag: "missed", description: "Also events that were published while it was paused or disabled" },
  ],
  examples: [
    { command: "hookwright recover wh_… --since 2h", explanation: "After an outage of your endpoint" },
    {
      command: "hookwright recover wh_… --since 2026-11-20T09:30:00Z --missed",
      explanation: "After the webhook was paused",
    },
  ],
  notes: [
    "The webhook must be active. Deliveries whose event was accepted since then are left out.",
    "The server does the work: Ctrl-C ends only the display.",
  ],
  async run(context) {
    const { words, options } = context;
    const [webhookId = ""] = words;
    const text = options.get("since");
    if (text === undefined)
      throw ownError("wrong_usage", "--since is missing: how far back? See `hookwright recover --help`.");
    const since = parseSince(text, context.now());
    const api = await context.connect();
    const recovery = await startRecovery(api, { webhookId, since, missed: options.has("missed") });
    return followJob(context, recovery, {
      kind: "recovery",
      describe: (job) => `${numberOf(job, "resent") ?? 0} of ${numberOf(job, "found") ?? 0} sent again`,
      read: (id) => getRecovery(api, id),
    });
  },
};
