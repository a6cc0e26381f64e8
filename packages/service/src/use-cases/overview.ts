import type {
  AccountSearch,
  HostSearch,
  Issue,
  Ledger,
  ListedConsoleWebhook,
  Overview,
  OverviewPeriod,
  Snooze,
} from "@hookwright/domain";
import type { ChangeOrigin, Developer } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** Values as in a query. Undefined: the last 24 hours, all webhooks, all sites, all events. */
export interface LedgerFilters {
  /** A timestamp, at most 31 days ago. */
  readonly since?: string | undefined;
  /** A timestamp. */
  readonly until?: string | undefined;
  /** Whole minutes, in seconds. */
  readonly step?: string | undefined;
  readonly webhook_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly event?: string | undefined;
  /** `webhook`: also the numbers of each webhook. */
  readonly by?: string | undefined;
}

export interface OverviewUseCases {
  /** The ledger of a period, for the account, one webhook or one site, and what needs attention. */
  get(
    accountId: string,
    query: {
      readonly period: OverviewPeriod;
      readonly webhook_id?: string | undefined;
      readonly project_id?: string | undefined;
    },
  ): Promise<Overview>;
  /** Puts off an alert for the whole account. @throws HookwrightError `validation_failed`, `resource_not_found` */
  snooze(accountId: string, input: unknown): Promise<Snooze>;
  /** @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account */
  getLedger(accountId: string, filters: LedgerFilters): Promise<Ledger>;
  /** The webhooks as `WebhookUseCases.listForConsole` or `listRemoved` lists them, with the last 24 hours of each. */
  listWebhooks(
    accountId: string,
    page: PageRequest,
    status?: "removed" | undefined,
  ): Promise<Page<ListedConsoleWebhook>>;
}

/** Without `status`: all that are not ignored. Times are ISO 8601 date-times. */
export interface IssueFilters {
  readonly status?: string | undefined;
  readonly webhook_id?: string | undefined;
  /** Issues of the webhooks that this site has. */
  readonly project_id?: string | undefined;
  /** Those that came at this time or later. */
  readonly since?: string | undefined;
  /** Those that came first before this time. */
  readonly until?: string | undefined;
}

/** Equal failures of webhooks. */
export interface IssueUseCases {
  /** The 200 that came last. A key sees those of its webhooks. @throws HookwrightError `validation_failed` if a filter is invalid or the site is not one of the account */
  list(caller: Developer, filters: IssueFilters): Promise<readonly Issue[]>;
  /** Acknowledges, ignores or opens. @throws HookwrightError `validation_failed`, `resource_not_found` */
  mark(caller: Developer, issueId: string, input: unknown, origin?: ChangeOrigin): Promise<Issue>;
}

export interface SearchUseCases {
  /** The newest records and deliveries of an account that a text names. See `DeliveryFilters.q`. @throws HookwrightError `validation_failed` */
  account(accountId: string, text: string | undefined): Promise<AccountSearch>;
  /**
   * What a text names over all accounts. It ends after two seconds or some twenty results, and continues with `cursor`. Orders that the
   * host keeps are found as they were published.
   *
   * @throws HookwrightError `validation_failed`, `invalid_cursor`
   */
  all(text: string | undefined, cursor?: string): Promise<HostSearch & Pick<Page<unknown>, "meta">>;
}
