import type { Service } from "@hookwright/service";
import type { History } from "./history.ts";
import { accountIds } from "./operations.ts";
import type { OperationNamed } from "./operations.ts";
import type { Outcome, Processes } from "./processes.ts";

export interface JobOperations {
  resendSet(operation: Pick<OperationNamed<"resendSet">, "account" | "set">): Promise<void>;
  /** Sends again what no webhook has accepted. */
  resendAll(): Promise<void>;
}

const ended = { statuses: ["failed", "cancelled"] };

export function createJobOperations(
  { ask }: Pick<Processes, "ask">,
  { changes, lastJobs }: Pick<History, "changes" | "lastJobs">,
): JobOperations {
  const start = (accountId: string, input: object): Promise<Outcome<{ readonly id: string }>> =>
    ask((service: Service) => service.resends.start(accountId, input));
  return {
    async resendSet({ account, set }) {
      if (set === "ended") await start(account, { filter: ended });
      if (set === "missed") await start(account, { filter: {}, not_sent: true });
      if (set !== "turnOn") return;
      const { value } = await ask((service) => service.webhooks.list(account, { limit: 100 }));
      const stopped = (value?.rows ?? []).filter(({ status }) => status !== "active").map(({ id }) => id);
      if (stopped.length === 0) return;
      const { askedAt, doneAt, refused } = await start(account, {
        filter: { webhook_ids: stopped.slice(0, 50) },
        turn_on: true,
      });
      if (!refused) changes.push(...stopped.map((of) => ({ of, allows: true, askedAt, doneAt })));
    },

    async resendAll() {
      for (const accountId of accountIds) {
        const { value } = await start(accountId, { filter: ended, not_sent: true });
        if (value !== undefined) lastJobs.set(accountId, value.id);
      }
    },
  };
}
