import type {
  ApiKey,
  AuditEntry,
  Deleted,
  Erasure,
  HostAccount,
  ListedAccount,
  ListedAuditEntry,
  Project,
  StartedErasure,
} from "@hookwright/domain";
import type { ChangeOrigin } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

export interface AccountUseCases {
  /** Creates or updates the account. @throws HookwrightError `validation_failed` */
  put(
    accountId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly account: HostAccount; readonly created: boolean }>;
  get(accountId: string): Promise<HostAccount>;
  /** All accounts, in the order of their ids. */
  list(filters: AccountFilters, page: PageRequest): Promise<Page<ListedAccount>>;
  /**
   * Removes all data of an account. It waits up to 15 s for attempts that are on their way.
   *
   * @throws HookwrightError `resource_not_found`
   */
  remove(accountId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface AccountFilters {
  readonly status?: string | undefined;
  /** A part of the id, the name or the e-mail address, in any case. */
  readonly q?: string | undefined;
  /** `not_delivered`, `failed` or `volume`: accounts with events, those with most first. `log_size`: the largest logs. @default by id */
  readonly sort?: string | undefined;
  /** Of the numbers of the ledger: `1h`, `24h`, `7d` or `30d`. @default "24h", if sorted */
  readonly period?: string | undefined;
}

export interface AuditFilters {
  /** @default all accounts */
  readonly account_id?: string | undefined;
  readonly action?: string | undefined;
  /** The kind, the id or the name of an actor. */
  readonly actor?: string | undefined;
  /** At this time or later: an ISO 8601 date-time. */
  readonly since?: string | undefined;
  /** Before this time: an ISO 8601 date-time. */
  readonly until?: string | undefined;
}

/** Who changed what, newest first. A page may be shorter than `limit` although there are more. */
export interface AuditUseCases {
  /** The entries of all accounts. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  list(filters: AuditFilters, page: PageRequest): Promise<Page<ListedAuditEntry>>;
  /** The entries of one account. @throws HookwrightError `validation_failed`, `invalid_cursor` */
  listOfAccount(
    accountId: string,
    filters: Omit<AuditFilters, "account_id">,
    page: PageRequest,
  ): Promise<Page<AuditEntry>>;
}

export interface ProjectUseCases {
  /** Creates or updates a site. @throws HookwrightError `validation_failed` */
  put(
    projectId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly project: Project; readonly created: boolean }>;
  list(accountId: string, page: PageRequest): Promise<Page<Project>>;
}

export interface ApiKeyUseCases {
  /**
   * Creates an API key. Only this result contains `api_key`.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`, or `invalid_state` if 100 keys are active
   */
  create(
    accountId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<ApiKey & { readonly api_key: string }>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKey>>;
  /** Revokes the key at once, removes its webhooks, cancels their pending deliveries. The host omits `accountId`: any account. */
  revoke(
    keyId: string,
    accountId?: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly revoked: true }>;
}

/** Erasures of the data of a person, in the background. */
export interface ErasureUseCases {
  /**
   * Starts to erase the data of a person from an account, in the background: contacts, subscriptions, records, and what the logs have of
   * them. It survives a restart. No webhook gets anything because of it. Contacts and orders that you keep yourself stay.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` if ten erasures of the account run
   * @example
   * const { id } = await erasures.start("acc_1", { email: "ada@example.com" });
   * const { status, contacts, subscribers, records, deliveries } = await erasures.get("acc_1", id);
   */
  start(accountId: string, input: unknown, origin?: ChangeOrigin): Promise<StartedErasure>;
  /** The receipt, or the progress so far. Receipts are kept for 90 days. @throws HookwrightError `resource_not_found` */
  get(accountId: string, erasureId: string): Promise<Erasure>;
}
