import {
  eventsOf,
  readSigningSecrets,
  readWebhookGuard,
  replaceRow,
  replaceTarget,
  toChangeNotification,
} from "@hookwright/delivery";
import type { CommitPart, SigningSecretsRow, WebhookRow } from "@hookwright/delivery";
import {
  HookwrightError,
  limitInputSchema,
  parseInput,
  parseTargetUrl,
  validationFailed,
  webhookChangesSchema,
  withoutEmptyIn,
} from "@hookwright/domain";
import type { ConsoleWebhook, CustomHeader } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectEvents } from "../lookups/expect-event.ts";
import { expectHeaders } from "../lookups/expect-headers.ts";
import { expectSite } from "../lookups/find-project.ts";
import { expectPresentWebhook, findSame, listNewestWebhooks } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { findTargetRefusal } from "../lookups/disabled-targets.ts";
import { readConsoleWebhook } from "../lookups/read-webhooks.ts";
import { findWebhookChanges } from "./find-webhook-changes.ts";

type LimitContext = AuditContext & Pick<ServiceContext, "worker">;
type UpdateContext = LimitContext & Pick<ServiceContext, "events" | "signing" | "targetPolicy">;

/**
 * Changes the name, the events, the URL, the site, the owner's own headers, the limit, the order or the form of bodies of a webhook (contract: Webhooks). Its id, secret, state
 * and counters stay. Fields that are left out do not change. Attempts that start afterwards use the new state, also those of
 * pending deliveries, which are still sent if their event is not among the new ones. A URL with another origin needs the headers anew:
 * they may be credentials for the present one.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `resource_not_found`;
 * `invalid_state` if another webhook of the same events has the URL, or the operator has disabled it
 */
export async function updateWebhook(
  context: UpdateContext,
  accountId: string,
  webhookId: string,
  body: unknown,
  origin?: ChangeOrigin,
): Promise<ConsoleWebhook> {
  const { store, targetPolicy } = context;
  const input = parseInput(webhookChangesSchema, withoutEmptyIn(webhookChangesSchema, body));
  const headers = input.headers && expectHeaders(context.signing, input.headers);
  const { target_url: targetUrl, project_id: projectId } = input;
  const events = input.events && expectEvents(context.events, input.events);
  const verdict = targetUrl === undefined ? undefined : parseTargetUrl(targetUrl, targetPolicy);
  if (verdict?.ok === false) throw new HookwrightError("invalid_target_url", `target_url: ${verdict.reason}`);
  if (typeof projectId === "string") await expectSite(store, accountId, projectId);

  const changed = await commitAudited(context, partitionOf(accountId), origin, async () => {
    const guard = await readWebhookGuard(store, accountId);
    const webhook = await expectPresentWebhook(store, accountId, webhookId);
    const { row } = webhook;
    const after: WebhookRow = {
      ...row,
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(targetUrl === undefined ? {} : { target_url: targetUrl }),
      ...(projectId === undefined ? {} : { project_id: projectId }),
      ...(input.max_per_second === undefined ? {} : { max_per_second: input.max_per_second }),
      ...(input.ordered === undefined ? {} : { ordered: input.ordered || undefined }),
      ...(input.body_form === undefined ? {} : { body_form: input.body_form }),
      ...(events === undefined || isSameSet(events, row) ? {} : { events }),
    };
    const parts: CommitPart[] = [];
    const url = verdict?.url ?? new URL(row.target_url);
    const isRetargeted = after.target_url !== row.target_url || after.events !== row.events;
    if (isRetargeted || after.project_id !== row.project_id) {
      const refusal = await findTargetRefusal(store, accountId, url, webhookId);
      if (refusal !== undefined) throw new HookwrightError("invalid_state", refusal);
    }
    if (isRetargeted) {
      const others = (await listNewestWebhooks(store, accountId)).filter(({ id }) => id !== webhookId);
      const same = findSame(others, eventsOf(after), url);
      if (same !== undefined)
        throw new HookwrightError(
          "invalid_state",
          `Webhook ${same.id} already sends ${eventsOf(after).join(", ")} to this URL. Remove one of the two first.`,
        );
      // Another webhook with this URL may be created at the same time.
      parts.push(replaceTarget(guard, webhook, after));
    } else {
      parts.push(replaceRow(webhook, after));
    }
    if (headers !== undefined) parts.push(await replaceHeaders(context, accountId, webhookId, headers));
    else if (!hasSameOrigin(after, row)) parts.push(await expectNoHeaders(store, accountId, row));
    const commit = {
      checks: parts.flatMap(({ checks }) => checks),
      mutations: parts.flatMap(({ mutations }) => mutations),
      notify: toChangeNotification({ accountId, event: row.event, webhookId }),
    };
    const fields = [
      ...findWebhookChanges(row, after),
      ...(headers === undefined ? [] : [{ field: "headers" }]),
    ];
    return {
      commit,
      result: after,
      audited:
        fields.length === 0
          ? undefined
          : {
              action: "webhook.updated",
              accountId,
              target: { kind: "webhook", id: webhookId },
              changed: fields,
            },
    };
  });
  context.worker.webhookChanged({ accountId, event: changed.event, webhookId });
  return readConsoleWebhook(store, accountId, changed);
}

/**
 * Sets the limit of the operator. It counts at once.
 *
 * @throws HookwrightError `validation_failed`, `resource_not_found`
 */
export async function limitWebhook(
  context: LimitContext,
  accountId: string,
  webhookId: string,
  body: unknown,
  origin?: ChangeOrigin,
): Promise<ConsoleWebhook> {
  const { store, worker } = context;
  const input = parseInput(limitInputSchema, withoutEmptyIn(limitInputSchema, body));
  const changed = await commitAudited(context, partitionOf(accountId), origin, async () => {
    const webhook = await expectPresentWebhook(store, accountId, webhookId);
    const after: WebhookRow = { ...webhook.row, host_max_per_second: input.max_per_second };
    const notify = toChangeNotification({ accountId, event: after.event, webhookId });
    const fields = findWebhookChanges(webhook.row, after);
    const target = { kind: "webhook", id: webhookId } as const;
    return {
      commit: { ...replaceRow(webhook, after), notify },
      result: after,
      audited:
        fields.length === 0 ? undefined : { action: "webhook.updated", accountId, target, changed: fields },
    };
  });
  worker.webhookChanged({ accountId, event: changed.event, webhookId });
  return readConsoleWebhook(store, accountId, changed);
}

function isSameSet(events: readonly string[], row: WebhookRow): boolean {
  return events.join(" ") === eventsOf(row).join(" ");
}

/** Another port may belong to somebody else, and `http:` would send a credential unencrypted. */
function hasSameOrigin(one: WebhookRow, other: WebhookRow): boolean {
  return new URL(one.target_url).origin === new URL(other.target_url).origin;
}

/** A credential for one origin must not reach another, by mistake or because somebody moves the URL who cannot read it. */
async function expectNoHeaders(
  store: Store,
  accountId: string,
  { id, target_url: url }: WebhookRow,
): Promise<CommitPart> {
  const [secrets] = await readSigningSecrets(store, accountId, [id]);
  if (secrets === undefined) throw noSuch("webhook");
  const names = secrets.row.headers?.names ?? [];
  if (names.length === 0) return { checks: [secrets.check], mutations: [] };
  throw validationFailed([
    `headers: ${names.join(", ")} may be meant for ${new URL(url).origin} only. Send \`headers\` again for the new scheme, host or port, or {} to remove them`,
  ]);
}

/** The headers are in the row of the signing secrets, so that an attempt reads them in the same round trip. */
async function replaceHeaders(
  { store, signing }: UpdateContext,
  accountId: string,
  webhookId: string,
  headers: readonly CustomHeader[],
): Promise<CommitPart> {
  const [stored] = await readSigningSecrets(store, accountId, [webhookId]);
  // The webhook was removed since it was read, and its secrets with it.
  if (stored === undefined) throw noSuch("webhook");
  const { headers: _before, ...secrets } = stored.row;
  const after: SigningSecretsRow =
    headers.length === 0 ? secrets : { ...secrets, headers: await signing.sealHeaders(headers, webhookId) };
  return replaceRow(stored, after);
}
