import { parseInput, snoozeInputSchema, toTimestamp, withoutEmpty } from "@hookwright/domain";
import type { Snooze } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { expectKnownWebhook } from "../lookups/find-webhooks.ts";
import { keys } from "../rows/keys.ts";
import { parseMarks } from "../rows/marks-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { snoozeNameOf } from "./attention.ts";

const hourMs = 3_600_000;

/** More than the alerts that an account has at once. The oldest ones end. */
const maximumSnoozes = 500;

/** Puts off an alert. Snoozes that have ended are removed. */
export async function snooze(
  { store, now }: Pick<ServiceContext, "store" | "now">,
  accountId: string,
  input: unknown,
): Promise<Snooze> {
  const { hours, ...alert } = parseInput(snoozeInputSchema, withoutEmpty(input));
  await expectKnownWebhook(store, accountId, alert.webhook_id);
  const until = now() + hours * hourMs;
  const key = keys.marks(accountId);
  return commitUntilDone(store, partitionOf(accountId), async () => {
    const text = await store.get(key);
    const marks = parseMarks(text);
    const running = Object.entries(marks.snoozes)
      .filter(([, end]) => end > now())
      .slice(1 - maximumSnoozes);
    const snoozes = { ...Object.fromEntries(running), [snoozeNameOf(alert)]: until };
    return {
      commit: {
        checks: [{ key, value: text }],
        mutations: [{ type: "set", key, value: JSON.stringify({ ...marks, snoozes }) }],
      },
      result: { ...alert, snoozed_until: hours === 0 ? null : toTimestamp(until) },
    };
  });
}
