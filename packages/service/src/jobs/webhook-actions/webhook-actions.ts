import { setImmediate as nextTurn } from "node:timers/promises";
import {
  HookwrightError,
  isHostId,
  parseInput,
  validationFailed,
  webhookActionInputSchema,
  withoutEmptyIn,
} from "@hookwright/domain";
import type { WebhookActionInput } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import { commitAudited } from "../../audit/commit-audited.ts";
import type { ServiceContext } from "../../context.ts";
import { noSuch } from "../../lookups/no-such.ts";
import { keys, operator } from "../../rows/keys.ts";
import {
  parseWebhookActionRow,
  toWebhookAction,
  toWebhookActionMutations,
} from "../../rows/webhook-action-row.ts";
import type { WebhookActionRow } from "../../rows/webhook-action-row.ts";
import { readIdPage } from "../../store/id-page.ts";
import type { ChangeOrigin, WebhookActionUseCases } from "../../use-cases.ts";
import { countTargets } from "./action-step.ts";

/** Steps of counting that a request does. The background work counts the rest. */
const stepsOfRequest = 10;

/** Actions of the operator on all webhooks that a filter matches (contract: The host API). `createJobRunner` runs them. */
export function createWebhookActions(context: ServiceContext): WebhookActionUseCases {
  const { store, now, newId } = context;
  const partition = partitionOf(operator);

  function begin(body: unknown, origin: ChangeOrigin | undefined): WebhookActionRow {
    const { action, filter, recover = false, reason = null } = readInput(body);
    return {
      id: newId("job"),
      action,
      filter,
      recover,
      reason,
      origin: origin ?? null,
      status: "running",
      found: 0,
      changed: 0,
      skipped: 0,
      recoveries: 0,
      created_at: now(),
      finished_at: null,
      stage: "count",
      position: null,
    };
  }

  async function count(row: WebhookActionRow, maximumSteps: number): Promise<WebhookActionRow> {
    let counted = row;
    for (let step = 0; step < maximumSteps && counted.stage === "count"; step++) {
      counted = await countTargets(store, counted);
      await nextTurn();
    }
    return counted;
  }

  async function expectRow(jobId: string) {
    const key = keys.webhookAction(jobId);
    const value = isHostId(jobId) ? await store.get(key) : undefined;
    if (value === undefined) throw noSuch("job", "server");
    return { row: parseWebhookActionRow(value), check: { key, value } };
  }

  return {
    async start(body, origin) {
      const row = await count(begin(body, origin), stepsOfRequest);
      const runningKey = keys.webhookActionRunning(row.id);
      return commitAudited(context, partition, origin, async () => ({
        commit: {
          mutations: [...toWebhookActionMutations(row), { type: "set", key: runningKey, value: row.id }],
          notify: [runningKey],
        },
        result: toWebhookAction(row),
        audited: {
          action: "webhook_action.started",
          accountId: null,
          target: { kind: "webhook_action", id: row.id },
        },
      }));
    },

    async preview(body) {
      const { found } = await count(begin(body, undefined), Number.POSITIVE_INFINITY);
      return { found };
    },

    list: (page) =>
      readIdPage(context, {
        accountId: "",
        list: "webhook-actions",
        page,
        prefix: keys.webhookActions(),
        toRow: (text) => toWebhookAction(parseWebhookActionRow(text)),
      }),

    async get(jobId) {
      return toWebhookAction((await expectRow(jobId)).row);
    },

    stop(jobId, origin) {
      return commitAudited(context, partition, origin, async () => {
        const { row, check } = await expectRow(jobId);
        if (row.status !== "running")
          throw new HookwrightError("invalid_state", `This job has ${row.status} already.`);
        const stopped: WebhookActionRow = { ...row, status: "stopped", finished_at: now() };
        return {
          commit: { checks: [check], mutations: toWebhookActionMutations(stopped) },
          result: toWebhookAction(stopped),
          audited: {
            action: "webhook_action.stopped",
            accountId: null,
            target: { kind: "webhook_action", id: jobId },
          },
        };
      });
    },
  };
}

/** @throws HookwrightError `validation_failed` */
function readInput(body: unknown): WebhookActionInput {
  const input = parseInput(webhookActionInputSchema, withoutEmptyIn(webhookActionInputSchema, body));
  const { action, filter, reason, recover = false } = input;
  const problems: string[] = [];
  // A program that lists no accounts must not change all webhooks.
  if (Object.values(filter).every((condition) => condition === undefined))
    problems.push("filter: needs at least one condition");
  if (action === "disable" && reason === undefined) problems.push("reason: is needed to disable webhooks");
  if (recover && (action === "pause" || action === "disable"))
    problems.push("recover: is only for turn-on, resume and enable");
  if (problems.length > 0) throw validationFailed(problems);
  return input;
}
