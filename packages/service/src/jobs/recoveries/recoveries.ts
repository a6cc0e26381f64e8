import {
  HookwrightError,
  isHostId,
  parseInput,
  parseTimestamp,
  recoveredStatuses,
  recoveryInputSchema,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Recovery } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { commitAudited } from "../../audit/commit-audited.ts";
import type { ServiceContext } from "../../context.ts";
import { expectAccountOf, expectActive, expectWebhook } from "../../lookups/find-webhooks.ts";
import { noSuch } from "../../lookups/no-such.ts";
import { expectMaySend } from "../../lookups/read-account.ts";
import { keys } from "../../rows/keys.ts";
import {
  endRecovery,
  parseRecoveryRow,
  runningKeyOf,
  toRecovery,
  toRecoveryMutations,
} from "../../rows/recovery-row.ts";
import type { RecoveryRow } from "../../rows/recovery-row.ts";
import { readIdPage } from "../../store/id-page.ts";
import type { ChangeOrigin, RecoveryUseCases } from "../../use-cases.ts";
import { countMatches } from "./count-matches.ts";
import { newRecovery, toRecoveryStart } from "./start-recovery.ts";
import type { RecoveryRange } from "./start-recovery.ts";

/** Recoveries of webhooks (contract: The developer API). `createJobRunner` runs them. */
export function createRecoveries(context: ServiceContext): RecoveryUseCases {
  const { store, events, now, newId, onError } = context;

  /** A recovery that has counted nothing yet. */
  async function begin(accountId: string, webhookId: string, body: unknown): Promise<RecoveryRow> {
    const startedAt = now();
    const range = readInput(body, startedAt);
    const { row } = await expectWebhook(store, accountId, webhookId);
    return newRecovery(row, range, { id: newId("rcv"), now: startedAt });
  }

  async function recover(
    accountId: string,
    webhookId: string,
    body: unknown,
    origin?: ChangeOrigin,
  ): Promise<Recovery> {
    const recovery = await begin(accountId, webhookId, body);
    const runningKey = runningKeyOf(accountId, recovery);
    return commitAudited(context, partitionOf(accountId), origin, async () => {
      const { account, check } = await expectStartable();
      // Most logs are counted at once. The background work counts the rest of a large one.
      const counted = await countMatches({ store, events, accountId, recovery, onError });
      const start = await toRecoveryStart(store, accountId, counted);
      return {
        commit: {
          ...start,
          checks: [{ key: keys.account(accountId), value: account }, check, ...start.checks],
        },
        result: toRecovery(counted),
        audited: { action: "recovery.started", accountId, target: { kind: "recovery", id: recovery.id } },
      };
    });

    async function expectStartable() {
      const account = await expectMaySend(store, accountId);
      const { row, check } = await expectWebhook(store, accountId, webhookId);
      expectActive(row);
      const running = await store.get(runningKey);
      if (running !== undefined)
        throw new HookwrightError(
          "invalid_state",
          `Recovery ${running} of this webhook is running. Wait until it ends, or stop it.`,
        );
      return { account, check };
    }
  }

  return {
    async listRecoveries(accountId, webhookId, page) {
      await expectWebhook(store, accountId, webhookId);
      return readIdPage(context, {
        accountId,
        list: "recoveries",
        filters: { webhook_id: webhookId },
        page,
        prefix: keys.recoveriesOfWebhook(accountId, webhookId),
        rowKey: (id) => keys.recovery(accountId, id),
        toRow: (text) => toRecovery(parseRecoveryRow(text)),
      });
    },

    async getRecovery(accountId, recoveryId) {
      return toRecovery((await expectRecovery(store, accountId, recoveryId)).row);
    },

    stopRecovery(accountId, recoveryId, origin) {
      return commitAudited(context, partitionOf(accountId), origin, async () => {
        const { row, check } = await expectRecovery(store, accountId, recoveryId);
        if (row.status !== "running")
          throw new HookwrightError(
            "invalid_state",
            `This recovery has ${row.status === "finished" ? "finished" : "stopped"} already.`,
          );
        const stopped = endRecovery(row, "stopped", now());
        return {
          commit: { checks: [check], mutations: toRecoveryMutations(accountId, stopped) },
          result: toRecovery(stopped),
          audited: { action: "recovery.stopped", accountId, target: { kind: "recovery", id: recoveryId } },
        };
      });
    },

    recover,

    async previewRecovery(accountId, webhookId, body) {
      const recovery = await begin(accountId, webhookId, body);
      // The recovery itself reports rows that cannot be read.
      const { found, stage } = await countMatches({ store, events, accountId, recovery, onError: () => {} });
      return { found, complete: stage === "send" };
    },

    async recoverAny(webhookId, body, origin) {
      readInput(body, now());
      return recover(await expectAccountOf(store, webhookId), webhookId, body, origin);
    },
  };
}

/** @throws HookwrightError `validation_failed` */
function readInput(body: unknown, now: number): RecoveryRange {
  const input = parseInput(recoveryInputSchema, withoutEmpty(body));
  const since = parseTimestamp(input.since);
  // A later end would match nothing more: what happens from now on is not recovered.
  const until = input.until === undefined ? now : Math.min(parseTimestamp(input.until), now);
  if (since > now) throw validationFailed(["since: must not be in the future"]);
  if (input.until !== undefined && since >= until)
    throw validationFailed(["until: must be later than since"]);
  const statuses = recoveredStatuses.filter((status) => input.statuses?.includes(status) ?? true);
  return { since, until, statuses, missed: input.missed ?? false };
}

async function expectRecovery(store: Store, accountId: string, recoveryId: string) {
  const key: Key = keys.recovery(accountId, recoveryId);
  const value = isHostId(recoveryId) ? await store.get(key) : undefined;
  if (value === undefined) throw noSuch("recovery");
  return { row: parseRecoveryRow(value), check: { key, value } };
}
