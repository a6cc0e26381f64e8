import type {
  Attempt,
  ConsoleWebhook,
  CreatedConsoleWebhook,
  CreatedWebhook,
  Deleted,
  HostWebhook,
  Recovery,
  RecoveryPreview,
  Webhook,
  WebhookAction,
  WebhookActionPreview,
} from "@hookwright/domain";
import type { ChangeOrigin, Developer, OwnOfKey } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** `signing_secret` is present only if `created` is true. */
export type WebhookCreation =
  | { readonly created: true; readonly webhook: CreatedWebhook }
  | {
      readonly created: false;
      readonly webhook: Webhook & {
        readonly signing_secret?: undefined;
        readonly standard_signing_secret?: undefined;
      };
    };

/** The secrets are present only if `created` is true. */
export type ConsoleWebhookCreation =
  | { readonly created: true; readonly webhook: CreatedConsoleWebhook }
  | { readonly created: false; readonly webhook: ConsoleWebhook };

export interface AllWebhooksFilters {
  readonly account_id?: string | undefined;
  readonly status?: string | undefined;
  /** `waiting`: those with most waiting deliveries, on one page. @default by account */
  readonly sort?: string | undefined;
}

export interface WebhookUseCases extends RecoveryUseCases {
  /**
   * Creates a webhook. If `created` is false, it is the existing webhook, unchanged and without its secret.
   *
   * @throws HookwrightError `resource_not_found`, `validation_failed`, `unknown_event`, `invalid_target_url`,
   * `invalid_project`, `webhook_limit_reached`
   */
  create(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<WebhookCreation>;
  list(accountId: string, page: PageRequest): Promise<Page<Webhook>>;
  get(accountId: string, webhookId: string): Promise<Webhook>;
  remove(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<Deleted>;

  /**
   * The webhooks of all accounts, for support staff. It reads at most 2,500 webhooks.
   *
   * @throws HookwrightError `invalid_cursor`; `validation_failed` for an unknown order
   */
  listAll(filters: AllWebhooksFilters, page: PageRequest): Promise<Page<HostWebhook>>;

  /**
   * Like `create`, with the fields that only the owner sees: `name`, `headers` of every delivery, and `paused`, to test it before it
   * goes live.
   */
  createForConsole(caller: Developer, input: unknown, origin?: ChangeOrigin): Promise<ConsoleWebhookCreation>;
  /** The same webhooks, with the fields that only the owner sees. */
  listForConsole(accountId: string, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /** Also a webhook that was removed in the last 30 days. */
  getForConsole(accountId: string, webhookId: string): Promise<ConsoleWebhook>;
  /** The webhooks that were removed in the last 30 days. They can only be read. */
  listRemoved(accountId: string, page: PageRequest): Promise<Page<ConsoleWebhook>>;
  /**
   * Changes a webhook. Its secret, state and counters stay. Fields that are left out do not change.
   *
   * @throws HookwrightError `validation_failed`, `unknown_event`, `invalid_target_url`, `invalid_project`, `resource_not_found`;
   * `invalid_state` if another webhook of the same events has the URL
   */
  update(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ConsoleWebhook>;
  /** Each of these throws `invalid_state` if the webhook's state does not allow the change. */
  pause(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  resume(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  turnOn(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * For the operator: sends nothing until it is enabled. Its owner sees the reason and cannot lift it, and the account gets no other webhook
   * with this URL, even if it removes this one.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, `invalid_state`
   * @example
   * await webhooks.disable("acc_1", webhookId, { reason: "This URL belongs to somebody else." });
   */
  disable(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ConsoleWebhook>;
  /**
   * For the operator: the attempts of a webhook in a second, at most. The lower of this and of its owner's limit counts. Null: no limit.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   * @example
   * await webhooks.limit("acc_1", webhookId, { max_per_second: 20 });
   */
  limit(accountId: string, webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * For the operator: brings back the status before `disable`. If the webhook was removed meanwhile, only its URL is allowed again.
   *
   * @throws HookwrightError `resource_not_found`, `invalid_state`
   */
  enable(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * The account of a webhook, for support staff. It may read the webhooks of many accounts.
   *
   * @throws HookwrightError `resource_not_found`
   */
  accountOf(webhookId: string): Promise<string>;
  /** Only this response contains the new `signing_secret`. Deliveries use the old secret until the rotation is finished. */
  rotate(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<CreatedConsoleWebhook>;
  finishRotation(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  cancelRotation(accountId: string, webhookId: string, origin?: ChangeOrigin): Promise<ConsoleWebhook>;
  /**
   * Makes one attempt at once with sample data. It is logged as a test and changes no counter of the webhook.
   *
   * @param input may name the `event`. @default the first event of the webhook
   * @throws HookwrightError `resource_not_found`, `invalid_state`, `unknown_event`, `validation_failed`; `rate_limited` if too many
   * tests are in progress
   */
  sendTest(accountId: string, webhookId: string, input?: unknown, origin?: ChangeOrigin): Promise<Attempt>;
  /** `sendTest` for the operator, who may also test a webhook that it has disabled. */
  sendOperatorTest(
    accountId: string,
    webhookId: string,
    input?: unknown,
    origin?: ChangeOrigin,
  ): Promise<Attempt>;
}

export interface RecoveryUseCases {
  /**
   * Starts to send again what failed or was cancelled since a time. It runs in the background. An event that was accepted since is not
   * sent.
   *
   * @throws HookwrightError `validation_failed`, `account_unavailable`, `plan_required`, `resource_not_found`; `invalid_state` if the webhook
   * is not active or one of its recoveries runs
   * @param own the API key that asks. @default none
   */
  recover(
    accountId: string,
    webhookId: string,
    input: unknown,
    origin?: ChangeOrigin,
    own?: Pick<OwnOfKey, "keyId" | "projectId">,
  ): Promise<Recovery>;
  /**
   * What `recover` would find with this input now, whatever the status of the webhook. Writes nothing.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  previewRecovery(accountId: string, webhookId: string, input: unknown): Promise<RecoveryPreview>;
  /** `recover` for a webhook of any account. It may read the webhooks of many accounts. */
  recoverAny(webhookId: string, input: unknown, origin?: ChangeOrigin): Promise<Recovery>;
  /**
   * The recoveries of a webhook, newest first. They are kept for 30 days, and at most 100.
   *
   * @param projectId only those that were limited to this site exist. @default all
   */
  listRecoveries(
    accountId: string,
    webhookId: string,
    page: PageRequest,
    projectId?: string,
  ): Promise<Page<Recovery>>;
  /** @param projectId as for `listRecoveries`. @throws HookwrightError `resource_not_found` */
  getRecovery(accountId: string, recoveryId: string, projectId?: string): Promise<Recovery>;
  /** Creates no more deliveries. Those that were created are sent. @throws HookwrightError `resource_not_found`, `invalid_state` */
  stopRecovery(accountId: string, recoveryId: string, origin?: ChangeOrigin): Promise<Recovery>;
}

/** Actions of the operator on all webhooks that a filter matches, in the background. */
export interface WebhookActionUseCases {
  /**
   * Starts an action. It survives a restart and does nothing twice. To count only, call `preview`.
   *
   * @throws HookwrightError `validation_failed`
   * @example
   * const filter = { status: "switched_off", status_changed_since: "2026-11-20T02:00:00Z" } as const;
   * await webhookActions.start({ action: "turn-on", filter, recover: true });
   */
  start(input: unknown, origin?: ChangeOrigin): Promise<WebhookAction>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed` */
  preview(input: unknown): Promise<WebhookActionPreview>;
  /** The actions, newest first. They are kept for 30 days. */
  list(page: PageRequest): Promise<Page<WebhookAction>>;
  /** @throws HookwrightError `resource_not_found` */
  get(jobId: string): Promise<WebhookAction>;
  /**
   * Changes no more webhooks. What was changed stays, and recoveries that were started go on.
   *
   * @throws HookwrightError `resource_not_found`, `invalid_state`
   */
  stop(jobId: string, origin?: ChangeOrigin): Promise<WebhookAction>;
}
