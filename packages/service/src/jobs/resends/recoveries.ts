import {
  HookwrightError,
  parseInput,
  parseTimestamp,
  recoveredStatuses,
  recoveryInputSchema,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { Recovery } from "@hookwright/domain";
import type { ServiceContext } from "../../context.ts";
import { expectAccountOf, expectActive, expectWebhook } from "../../lookups/find-webhooks.ts";
import { keys } from "../../rows/keys.ts";
import { parseResendRow, runningKeyOf, toRecovery } from "../../rows/resend-row.ts";
import type { ResendRow } from "../../rows/resend-row.ts";
import { readIdPage } from "../../store/id-page.ts";
import type { ChangeOrigin, OwnOfKey, RecoveryUseCases } from "../../use-cases.ts";
import { countMatches } from "./count-matches.ts";
import { expectJob, startJob, stopJob } from "./resends.ts";
import { newResend } from "./start-resend.ts";
import type { ResendRange } from "./start-resend.ts";

/** With a site, only recoveries that were limited to it. The others also send deliveries of other sites. */
function shownTo(projectId: string | undefined) {
  return {
    noun: "recovery",
    isShown: ({ kind, filter }: ResendRow) =>
      kind === "recovery" && (projectId === undefined || filter.project_id === projectId),
  } as const;
}

/** Recoveries: the jobs with one webhook (contract: The developer API). */
export function createRecoveries(context: ServiceContext): RecoveryUseCases {
  const { store, now, newId } = context;

  /** A recovery that has counted nothing yet. */
  async function begin(
    accountId: string,
    webhookId: string,
    body: unknown,
    own?: Pick<OwnOfKey, "keyId" | "projectId">,
  ): Promise<ResendRow> {
    const startedAt = now();
    const { since: endedSince, ...range } = readInput(body, startedAt);
    const { row } = await expectWebhook(store, accountId, webhookId);
    const filter = { ...range.filter, ...(own?.projectId !== undefined && { project_id: own.projectId }) };
    return newResend("recovery", { ...range, filter }, [{ webhook: row, endedSince }], {
      id: newId("rcv"),
      key_id: own?.keyId,
      now: startedAt,
    });
  }

  async function recover(
    accountId: string,
    webhookId: string,
    body: unknown,
    origin?: ChangeOrigin,
    own?: Pick<OwnOfKey, "keyId" | "projectId">,
  ): Promise<Recovery> {
    const recovery = await begin(accountId, webhookId, body, own);
    return toRecovery(await startJob(context, accountId, recovery, { origin, prepareStart }));

    async function prepareStart() {
      const { row, check } = await expectWebhook(store, accountId, webhookId);
      expectActive(row);
      const running = await store.get(runningKeyOf(accountId, recovery));
      if (running !== undefined)
        throw new HookwrightError(
          "invalid_state",
          `Recovery ${running} of this webhook is running. Wait until it ends, or stop it.`,
        );
      return { checks: [check] };
    }
  }

  return {
    async listRecoveries(accountId, webhookId, page, projectId) {
      await expectWebhook(store, accountId, webhookId);
      return readIdPage(context, {
        accountId,
        list: "recoveries",
        filters: { webhook_id: webhookId, project_id: projectId },
        page,
        prefix: keys.resendsOfOwner(accountId, webhookId),
        rowKey: (id) => keys.resend(accountId, id),
        ...(projectId !== undefined && { isShown: (site) => site === projectId }),
        toRow: (text) => toRecovery(parseResendRow(text)),
      });
    },

    async getRecovery(accountId, recoveryId, projectId) {
      return toRecovery((await expectJob(store, accountId, recoveryId, shownTo(projectId))).row);
    },

    async stopRecovery(accountId, recoveryId, origin) {
      return toRecovery(await stopJob(context, accountId, recoveryId, { origin, ...shownTo(undefined) }));
    },

    recover,

    async previewRecovery(accountId, webhookId, body) {
      const recovery = await begin(accountId, webhookId, body);
      // The recovery itself reports rows that cannot be read.
      const counted = await countMatches({ ...context, accountId, job: recovery, onError: () => {} });
      return { found: toRecovery(counted).found, complete: counted.stage === "send" };
    },

    async recoverAny(webhookId, body, origin) {
      readInput(body, now());
      return recover(await expectAccountOf(store, webhookId), webhookId, body, origin);
    },
  };
}

/** @throws HookwrightError `validation_failed` */
function readInput(body: unknown, now: number): ResendRange & { readonly since: number } {
  const input = parseInput(recoveryInputSchema, withoutEmpty(body));
  const since = parseTimestamp(input.since);
  // A later end would match nothing more: what happens from now on is not recovered.
  const until = input.until === undefined ? now : Math.min(parseTimestamp(input.until), now);
  if (since > now) throw validationFailed(["since: must not be in the future"]);
  if (input.until !== undefined && since >= until)
    throw validationFailed(["until: must be later than since"]);
  const statuses = recoveredStatuses.filter((status) => input.statuses?.includes(status) ?? true);
  return { filter: { statuses, until }, not_sent: input.missed ?? false, since };
}
