import { keys, nextGuard, parseTargetUrl } from "@hookwright/delivery";
import type { SigningSecretRow, WebhookRow } from "@hookwright/delivery";
import {
  HookwrightError,
  isEventName,
  parseInput,
  unknownEventProblem,
  webhookInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Check, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { findProject } from "../lookups/find-project.ts";
import { listWebhookRows, maximumWebhooks } from "../lookups/find-webhooks.ts";
import { unknownKey } from "../rows/api-key-row.ts";
import type { ApiKeyRow } from "../rows/api-key-row.ts";
import { keys as serviceKeys } from "../rows/keys.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { Caller } from "../use-cases.ts";
import { createSigningSecret } from "./signing-secret.ts";

export interface CreatedWebhookRow {
  readonly row: WebhookRow;
  /** Only where the webhook is new. */
  readonly signingSecret: string | undefined;
}

/**
 * Subscribes a URL to an event. The checks come in the order the contract fixes (§5): missing fields, event, URL, site,
 * existing, limit. The last two are atomic: of two requests at once for the fiftieth place one is refused.
 */
export async function createWebhook(
  context: ServiceContext,
  caller: Pick<Caller, "accountId" | "credential">,
  body: unknown,
): Promise<CreatedWebhookRow> {
  const { store, now, newId, randomBytes, secretBox, targetPolicy } = context;
  const { accountId, credential } = caller;
  const input = parseInput(webhookInputSchema, withoutEmpty(body));
  const event = expectEvent(input.event);
  const verdict = parseTargetUrl(input.target_url, targetPolicy);
  if (!verdict.ok) throw new HookwrightError("invalid_target_url", `target_url: ${verdict.reason}`);
  if (
    input.project_id !== undefined &&
    (await findProject(store, accountId, input.project_id)) === undefined
  ) {
    throw new HookwrightError("invalid_project", "project_id: is not one of the account's sites");
  }

  const row: WebhookRow = {
    id: newId("wh"),
    event,
    target_url: input.target_url,
    project_id: input.project_id ?? null,
    status: "active",
    created_at: now(),
    created_by:
      credential.type === "key"
        ? {
            type: "key",
            key_id: credential.keyId,
            name: credential.name,
            integration: credential.integration,
          }
        : { type: "console", key_id: null, name: null, integration: false },
  };
  const signingSecret = createSigningSecret(randomBytes);
  const secretRow: SigningSecretRow = {
    webhook_id: row.id,
    current: secretBox.seal(signingSecret, row.id),
    pending: null,
  };
  const guardKey = keys.webhookGuard(accountId);
  const rowKey = keys.webhook(accountId, event, row.id);

  return commitUntilDone<CreatedWebhookRow>(store, guardKey[0], async () => {
    const guard = await store.get(guardKey);
    const webhooks = await listWebhookRows(store, accountId);
    const existing = webhooks.find((each) => each.event === event && isSameUrl(each.target_url, verdict.url));
    if (existing !== undefined) return { result: { row: existing, signingSecret: undefined } };
    if (webhooks.length >= maximumWebhooks) {
      throw new HookwrightError(
        "webhook_limit_reached",
        `The account already has ${maximumWebhooks} webhooks. Remove one first.`,
      );
    }
    return {
      commit: {
        checks: [{ key: guardKey, value: guard }, ...(await checkCredential(store, caller))],
        mutations: [
          { type: "set", key: guardKey, value: nextGuard(guard) },
          { type: "set", key: rowKey, value: JSON.stringify(row) },
          { type: "set", key: keys.signingSecret(accountId, row.id), value: JSON.stringify(secretRow) },
        ],
      },
      result: { row, signingSecret },
    };
  });
}

/**
 * That the key has not been revoked since the request began: the webhooks of a revoked key go with it, and none comes after.
 *
 * @throws HookwrightError `invalid_api_key`
 */
async function checkCredential(
  store: Store,
  { accountId, credential }: Pick<Caller, "accountId" | "credential">,
): Promise<Check[]> {
  if (credential.type !== "key") return [];
  const key = serviceKeys.apiKey(accountId, credential.keyId);
  const value = await store.get(key);
  const row: ApiKeyRow | undefined = value === undefined ? undefined : JSON.parse(value);
  if (row === undefined || row.revoked_at !== null) throw unknownKey();
  return [{ key, value }];
}

function expectEvent(event: string): EventName {
  if (isEventName(event)) return event;
  throw new HookwrightError("unknown_event", `event: ${unknownEventProblem(event)}`);
}

/** `HTTPS://Example.com` and `https://example.com:443/#anything` are one place: a fragment is not sent (RFC 9110, section 7.1). */
function isSameUrl(stored: string, url: URL): boolean {
  const known = URL.parse(stored);
  return known !== null && placeOf(known) === placeOf(url);
}

function placeOf({ href }: URL): string {
  return href.replace(/#.*$/u, "");
}
