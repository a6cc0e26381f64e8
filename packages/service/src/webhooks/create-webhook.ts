import { addWebhook, readWebhookGuard } from "@hookwright/delivery";
import type { SigningSecretsRow, WebhookRow } from "@hookwright/delivery";
import {
  consoleWebhookInputSchema,
  findProblems,
  HookwrightError,
  maximumWebhooks,
  parseTargetUrl,
  validationFailed,
  webhookInputSchema,
  withoutEmpty,
} from "@hookwright/domain";
import type { ConsoleWebhookInput, EventRegistry } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Store } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { expectEvent, expectEvents } from "../lookups/expect-event.ts";
import { expectHeaders } from "../lookups/expect-headers.ts";
import { expectSiteOf } from "../lookups/find-project.ts";
import { findSame, listNewestWebhooks, ownsWebhook, seesWebhook } from "../lookups/find-webhooks.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import { unknownKey } from "../rows/credential-rows.ts";
import type { ApiKeyRow } from "../rows/credential-rows.ts";
import { keys } from "../rows/keys.ts";
import type { Caller, Developer } from "../use-cases.ts";
import { findTargetRefusal } from "../lookups/disabled-targets.ts";
import { createSigningSecret } from "../secrets/signing.ts";
import { findWebhookChanges } from "./find-webhook-changes.ts";

export interface CreatedWebhookRow {
  readonly row: WebhookRow;
  /** Only if the webhook is new. */
  readonly signingSecret: string | undefined;
}

export interface CreateWebhookOptions {
  /** Whether the body may have what only the owner sees: `name`, `headers`, `paused`, the limit, the order and the form of bodies. @default false */
  readonly isForConsole?: boolean;
  /** @default the API key of the caller, otherwise the embedding program */
  readonly origin?: ChangeOrigin | undefined;
}

/**
 * Subscribes a URL to one event, several or all. The order of the checks is fixed (contract: Webhooks): missing fields, events, URL,
 * project, existing webhook, URL that the operator disabled, limit. The last three are atomic: of two concurrent requests for the
 * fiftieth webhook, one is refused.
 */
export async function createWebhook(
  context: ServiceContext,
  caller: Developer,
  body: unknown,
  { isForConsole = false, origin }: CreateWebhookOptions = {},
): Promise<CreatedWebhookRow> {
  const { store, events, now, newId, randomBytes, signing, targetPolicy } = context;
  const { accountId, credential } = caller;
  const parsed = parseWebhook(body, isForConsole);
  const {
    name,
    paused: isPaused = false,
    signing_secret: ownSecret,
    max_per_second,
    ordered,
    body_form,
    ...input
  } = parsed;
  const headers = expectHeaders(signing, input.headers ?? {});
  const names = expectEventsOf(events, input);
  const verdict = parseTargetUrl(input.target_url, targetPolicy);
  if (!verdict.ok) throw new HookwrightError("invalid_target_url", `target_url: ${verdict.reason}`);
  const projectId = await expectSiteOf(store, caller, input.project_id);

  const createdAt = now();
  const row: WebhookRow = {
    id: newId("wh"),
    ...toRowEvents(names),
    target_url: input.target_url,
    project_id: projectId ?? null,
    ...(name !== undefined && { name }),
    ...(max_per_second !== undefined && { max_per_second }),
    ...(ordered === true && { ordered }),
    ...(body_form !== undefined && { body_form }),
    ...(isPaused ? { status: "paused", status_changed_at: createdAt } : { status: "active" }),
    test_accepted_at: null,
    created_at: createdAt,
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
  const signingSecret = ownSecret ?? createSigningSecret(randomBytes);

  const by = origin ?? originOfKey(credential);
  return commitAudited<CreatedWebhookRow>(context, partitionOf(accountId), by, async () => {
    const guard = await readWebhookGuard(store, accountId);
    const webhooks = await listNewestWebhooks(store, accountId);
    const existing = findSame(webhooks, names, verdict.url);
    // The public API has no code for a state.
    const code = isForConsole ? "invalid_state" : "invalid_target_url";
    // What the owner sees of a webhook, a key sees only of its own.
    const mayHave = isForConsole ? ownsWebhook : seesWebhook;
    if (existing !== undefined && !mayHave(caller, existing)) throw takenByOthers(code);
    if (existing !== undefined) return { result: { row: existing, signingSecret: undefined } };
    const refusal = await findTargetRefusal(store, accountId, verdict.url);
    if (refusal !== undefined) throw new HookwrightError(code, refusal);
    if (webhooks.length >= (await readLimit(store, accountId))) {
      throw new HookwrightError(
        "webhook_limit_reached",
        `The account already has ${webhooks.length} webhooks. Remove one first.`,
      );
    }
    const secrets: SigningSecretsRow = {
      webhook_id: row.id,
      current: await signing.seal(signingSecret, row.id),
      pending: null,
      ...(headers.length > 0 && { headers: await signing.sealHeaders(headers, row.id) }),
      ...(ownSecret !== undefined && { is_brought: true }),
    };
    const { checks, mutations } = addWebhook(guard, row, secrets);
    return {
      commit: { checks: [...checks, ...(await checkCredential(store, caller))], mutations },
      result: { row, signingSecret },
      audited: {
        action: "webhook.created",
        accountId,
        target: { kind: "webhook", id: row.id },
        changed: findWebhookChanges(undefined, row),
      },
    };
  });
}

/** @throws HookwrightError `validation_failed`, with all problems of the body */
function parseWebhook(body: unknown, isForConsole: boolean): ConsoleWebhookInput {
  const given = withoutEmpty(body);
  const { event, events }: { readonly event?: unknown; readonly events?: unknown } = Object(given);
  const missing = event === undefined && events === undefined ? ["event: is required, or `events`"] : [];
  const both = event !== undefined && events !== undefined ? ["events: cannot be sent with `event`"] : [];
  const parsed = findProblems(isForConsole ? consoleWebhookInputSchema : webhookInputSchema, given);
  if (parsed.ok && missing.length + both.length === 0) return parsed.data;
  throw validationFailed([...missing, ...(parsed.ok ? [] : parsed.problems), ...both]);
}

/** @throws HookwrightError `unknown_event`, `validation_failed` */
function expectEventsOf(
  known: EventRegistry,
  {
    event,
    events = [],
  }: { readonly event?: string | undefined; readonly events?: readonly string[] | undefined },
): readonly string[] {
  return event === undefined ? expectEvents(known, events) : [expectEvent(known, event, "event").type.event];
}

/** A webhook with one event has it in its keys. */
function toRowEvents(events: readonly string[]): Pick<WebhookRow, "event" | "events"> {
  const [first = "*", ...others] = events;
  return first !== "*" && others.length === 0 ? { event: first } : { event: "*", events };
}

/** A second webhook with this URL would send each event twice. */
function takenByOthers(code: "invalid_state" | "invalid_target_url"): HookwrightError {
  return new HookwrightError(
    code,
    "target_url: the account has a webhook with this URL and these events, which is not one of this key",
  );
}

async function readLimit(store: Store, accountId: string): Promise<number> {
  const account = await store.get(keys.account(accountId));
  const own = account === undefined ? undefined : parseAccountRow(account).limits?.webhooks;
  return Math.min(maximumWebhooks, own ?? maximumWebhooks);
}

function originOfKey(credential: Caller["credential"]): ChangeOrigin | undefined {
  if (credential.type !== "key") return undefined;
  return { actor: { kind: "api_key", id: credential.keyId, name: credential.name }, requestId: null };
}

/**
 * Checks that the key is not revoked. Revoking removes the webhooks of the key, so none may be added afterwards.
 *
 * @throws HookwrightError `invalid_api_key`
 */
async function checkCredential(
  store: Store,
  { accountId, credential }: Pick<Caller, "accountId" | "credential">,
): Promise<Check[]> {
  if (credential.type !== "key") return [];
  const key = keys.apiKey(accountId, credential.keyId);
  const value = await store.get(key);
  const row: ApiKeyRow | undefined = value === undefined ? undefined : JSON.parse(value);
  if (row === undefined || row.revoked_at !== null) throw unknownKey();
  return [{ key, value }];
}
