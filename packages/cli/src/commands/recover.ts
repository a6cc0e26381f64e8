import { numberOf, textOf } from "../api/fields.ts";
import { getRecovery, startRecovery } from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { parseSince } from "../command-line/read-values.ts";

const pollMs = 1_000;

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
    const { words, options, output, signal } = context;
    const [webhookId = ""] = words;
    const text = options.get("since");
    if (text === undefined)
      throw ownError("wrong_usage", "--since is missing: how far back? See `hookwright recover --help`.");
    const since = parseSince(text, context.now());
    const api = await context.connect();
    let recovery = await startRecovery(api, { webhookId, since, missed: options.has("missed") });
    const id = textOf(recovery, "id") ?? "";
    let shown = "";
    for (;;) {
      const found = numberOf(recovery, "found") ?? 0;
      const resent = numberOf(recovery, "resent") ?? 0;
      const progress = `${resent} of ${found} sent again`;
      if (progress !== shown) output.line(progress);
      shown = progress;
      if (textOf(recovery, "status") !== "running") break;
      try {
        await context.sleep(pollMs);
        recovery = await getRecovery(api, id);
      } catch (error) {
        if (!signal.aborted) throw error;
        output.remark(`hookwright: the recovery ${id} continues on the server.`);
        return exitStatus.interrupted;
      }
    }
    const isFinished = textOf(recovery, "status") === "finished";
    output.line(isFinished ? "The recovery is finished." : "The recovery was stopped.");
    output.document(recovery);
    return isFinished ? exitStatus.done : exitStatus.negative;
  },
};
