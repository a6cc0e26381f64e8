import { textOf } from "../api/fields.ts";
import { attemptsOf, resendDelivery, waitForAttempt } from "../api/operations.ts";
import { exitStatus } from "../cli-error.ts";
import type { Command } from "../command-line/command.ts";
import { describeAttempt } from "../render/render-rows.ts";

export const resendCommand: Command = {
  name: "resend",
  description: "Send a delivery again, and wait for the first attempt",
  group: "Deliveries",
  words: [{ name: "ID", description: "The id of the delivery: the value of X-Service-Delivery" }],
  options: [],
  examples: [
    { command: "hookwright resend dlv_…", explanation: "Send it again" },
    { command: "hookwright resend dlv_… --json | jq -r .id", explanation: "The id of the new delivery" },
  ],
  notes: [
    "A resend is a new delivery with the current content of the record. The webhook must be active.",
    "The exit status is 1 if the first attempt fails. The service then makes five more attempts within half an hour.",
  ],
  async run({ words: [id = ""], output, connect, now, sleep }) {
    const api = await connect();
    const created = await resendDelivery(api, id);
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
  },
};
