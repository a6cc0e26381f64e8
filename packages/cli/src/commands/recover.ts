import { numberOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { getRecovery, getResend, startRecovery, turnOnAndRecover } from "../api/operations.ts";
import { ownError } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { followJob } from "../command-line/follow-job.ts";
import { parseSince } from "../command-line/read-values.ts";

export const recoverCommand: Command = {
  name: "recover",
  description: "Send again what a webhook did not accept, and show progress",
  group: "Deliveries",
  words: [{ name: "WEBHOOK", description: "The id of the webhook" }],
  options: [
    {
      flag: "since",
      value: "AGE",
      description: "Back to this age or timestamp: 30m, 2h, 2026-11-20T09:30:00Z",
    },
    { flag: "missed", description: "Also events that were published while it was paused or disabled" },
    {
      flag: "turn-on",
      description:
        "Turn it on first. Then all is sent that it did not accept since it was paused or disabled",
    },
  ],
  examples: [
    { command: "hookwright recover wh_… --since 2h", explanation: "After an outage of your endpoint" },
    {
      command: "hookwright recover wh_… --since 2026-11-20T09:30:00Z --missed",
      explanation: "After the webhook was paused",
    },
    { command: "hookwright recover wh_… --turn-on", explanation: "After the webhook was disabled" },
  ],
  notes: [
    "Without --turn-on, --since is required and the webhook must be active. Deliveries whose event was accepted since then are left out.",
    "The server does the work: Ctrl-C ends only the display.",
  ],
  async run(context) {
    const { words, options } = context;
    const [webhookId = ""] = words;
    const text = options.get("since");
    const describe = (job: Row): string =>
      `${numberOf(job, "resent") ?? 0} of ${numberOf(job, "found") ?? 0} sent again`;
    if (options.has("turn-on")) {
      const other = ["since", "missed"].find((flag) => options.has(flag));
      if (other !== undefined)
        throw ownError("wrong_usage", `--turn-on sends all since the webhook stopped: leave out --${other}.`);
      const api = await context.connect();
      return followJob(context, await turnOnAndRecover(api, webhookId), {
        kind: "recovery",
        describe,
        read: (id) => getResend(api, id),
      });
    }
    if (text === undefined)
      throw ownError("wrong_usage", "--since is missing: how far back? See `hookwright recover --help`.");
    const since = parseSince(text, context.now());
    const api = await context.connect();
    const recovery = await startRecovery(api, { webhookId, since, missed: options.has("missed") });
    return followJob(context, recovery, {
      kind: "recovery",
      describe,
      read: (id) => getRecovery(api, id),
    });
  },
};
