import { numberOf, textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import {
  attemptsOf,
  expectNames,
  findDelivery,
  getResend,
  resendDelivery,
  startResend,
  waitForAttempt,
} from "../api/operations.ts";
import { exitStatus, ownError } from "../cli-error.ts";
import type { Command, CommandContext } from "../command-line/command.ts";
import { followJob } from "../command-line/follow-job.ts";
import { parseSince } from "../command-line/read-values.ts";
import { describeAttempt } from "../render/render-rows.ts";

/** What chooses the deliveries. One of them is needed without an id. */
const choices = ["failed", "cancelled", "not-sent", "issue"];

export const resendCommand: Command = {
  name: "resend",
  description: "Send one delivery again, or all that match",
  group: "Deliveries",
  words: [
    {
      name: "ID",
      description:
        "The id of one delivery (the value of X-Service-Delivery), or the id in its body. Without it, all that match are sent",
      isOptional: true,
    },
  ],
  options: [
    { flag: "failed", description: "All that failed" },
    { flag: "cancelled", description: "All that were cancelled" },
    {
      flag: "not-sent",
      description: "All events that were published while their webhook was paused or disabled",
    },
    {
      flag: "since",
      value: "AGE",
      description:
        "Required without an id or --issue. Back to this age or timestamp: 30m, 2d, 2026-11-20T09:30:00Z",
    },
    {
      flag: "issue",
      value: "ID",
      description:
        "Only deliveries with the failure of this issue. Default: those that failed or were cancelled",
    },
    { flag: "webhook", value: "ID", description: "Only to this webhook" },
    { flag: "event", value: "NAME", description: "Only this event" },
    { flag: "site", value: "ID", description: "Only events of this site" },
    { flag: "dry-run", description: "Only count what would be sent" },
  ],
  examples: [
    { command: "hookwright resend dlv_…", explanation: "Send one again, and wait for the first attempt" },
    {
      command: "hookwright resend order.paid_ord_1001",
      explanation: "By the id in the body, if one webhook got it",
    },
    { command: "hookwright resend dlv_… --json | jq -r .id", explanation: "The id of the new delivery" },
    {
      command: "hookwright resend --failed --since 2d --dry-run",
      explanation: "Count what failed in two days",
    },
    {
      command: "hookwright resend --failed --cancelled --not-sent --since 2d",
      explanation: "Send all that was not accepted in two days, and show the progress",
    },
  ],
  notes: [
    "A resend is a new delivery with the current content of the record. Webhooks that are not active are skipped.",
    "With an id, the exit status is 1 if the first attempt fails. The service then makes five more attempts within half an hour.",
    "Without an id, events that were accepted since are left out. The server does the work: Ctrl-C ends only the display.",
  ],
  run(context) {
    const { words, options } = context;
    const [id] = words;
    if (id === undefined) return resendAll(context);
    const flag = resendCommand.options.find((option) => options.has(option.flag));
    if (flag !== undefined)
      throw ownError(
        "wrong_usage",
        `--${flag.flag} chooses many deliveries: leave out the id ${JSON.stringify(id)}.`,
      );
    return resendOne(context, id);
  },
};

async function resendOne({ output, connect, now, sleep }: CommandContext, id: string): Promise<number> {
  const api = await connect();
  const found = await findDelivery(api, id, { isOnly: true });
  const created = await resendDelivery(api, found.id);
  const newId = textOf(created, "id") ?? "";
  output.line(`${newId} was created.`);
  const delivery = await waitForAttempt(api, newId, { now, sleep });
  const attempt = attemptsOf(delivery).at(-1);
  const status = textOf(delivery, "status");
  output.document(delivery);
  if (attempt === undefined) {
    const why = status === "pending" ? "There is no attempt yet" : `The delivery is ${status ?? "unknown"}`;
    output.line(`${why}. See \`hookwright delivery ${newId}\`.`);
    return status === "pending" ? exitStatus.done : exitStatus.negative;
  }
  output.line(`Attempt ${textOf(attempt, "number") ?? "1"}: `, ...describeAttempt(attempt));
  if (status === "delivered") return exitStatus.done;
  const next = textOf(delivery, "next_attempt_at");
  if (next !== undefined) output.line(`The next attempt is at ${next}.`);
  return exitStatus.negative;
}

async function resendAll(context: CommandContext): Promise<number> {
  const { options, output, connect, now } = context;
  const text = options.get("since");
  if (!choices.some((choice) => options.has(choice)))
    throw ownError(
      "wrong_usage",
      "What is sent again? Name a delivery by its id, or use --failed, --cancelled, --not-sent or --issue.",
    );
  const issue = options.get("issue");
  if (text === undefined && issue === undefined)
    throw ownError("wrong_usage", "--since is missing: how far back? See `hookwright resend --help`.");
  const isChosen = choices.some((choice) => choice !== "issue" && options.has(choice));
  const request = {
    statuses: ["failed", "cancelled"].filter((status) => !isChosen || options.has(status)),
    since: text === undefined ? undefined : parseSince(text, now()),
    issue,
    webhookId: options.get("webhook"),
    event: options.get("event"),
    site: options.get("site"),
    isNotSent: options.has("not-sent"),
  };
  const api = await connect();
  const isDryRun = options.has("dry-run");
  const started = await startResend(api, request, { isDryRun });
  if (!isDryRun) {
    let job = started;
    const status = await followJob(context, started, {
      kind: "resend",
      title: (id) => `resend ${id}`,
      describe: (row) =>
        `${numberOf(row, "resent") ?? 0} of ${numberOf(row, "found") ?? 0} sent again${describeSkipped(row)}`,
      read: async (id) => (job = await getResend(api, id)),
    });
    if (status === exitStatus.done && job["found"] === 0) await expectNames(api, request);
    return status;
  }
  const sendable = (numberOf(started, "found") ?? 0) - (numberOf(started, "skipped") ?? 0);
  const count = started["complete"] === false ? `At least ${sendable}` : String(sendable);
  output.line(`${count} would be sent again${describeSkipped(started)}.`);
  output.document(started);
  return exitStatus.done;
}

/** Nothing if none is skipped. */
function describeSkipped(job: Row): string {
  const skipped = numberOf(job, "skipped") ?? 0;
  return skipped === 0 ? "" : `, ${skipped} skipped`;
}
