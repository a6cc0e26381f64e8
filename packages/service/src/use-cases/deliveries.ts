import type {
  Comparison,
  CreatedShare,
  Deleted,
  Delivery,
  DeliveryCounts,
  DeliveryDetail,
  ExportedDelivery,
  RelatedDelivery,
  Resend,
  ResendPreview,
  Share,
  SharedDelivery,
} from "@hookwright/domain";
import type { ChangeOrigin, ClientAddress, LinkOptions, OwnOfKey } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** Jobs that send again all deliveries that a filter matches, in the background. Recoveries are among them. */
export interface ResendUseCases {
  /**
   * Starts a job. It survives a restart and sends each event once. An event that was accepted since is not sent. Webhooks that are not
   * active are skipped.
   *
   * @param own only the webhooks of this key and their deliveries exist. @default all of the account
   * @throws HookwrightError `validation_failed`, `invalid_project`, `unknown_event`, `account_unavailable`, `plan_required`,
   * `resource_not_found`; `invalid_state` if ten jobs run
   */
  start(accountId: string, input: unknown, origin?: ChangeOrigin, own?: OwnOfKey): Promise<Resend>;
  /** What `start` would find with this input now. Writes nothing. @throws HookwrightError `validation_failed`, `invalid_project`, `unknown_event` */
  preview(accountId: string, input: unknown, own?: OwnOfKey): Promise<ResendPreview>;
  /** The jobs, recoveries among them, newest first. They are kept for 30 days, and at most 100 besides recoveries. */
  list(accountId: string, page: PageRequest, keyId?: string): Promise<Page<Resend>>;
  /** @param keyId only the jobs that this API key started exist. @throws HookwrightError `resource_not_found` */
  get(accountId: string, jobId: string, keyId?: string): Promise<Resend>;
  /** Creates no more deliveries. Those that were created are sent. @throws HookwrightError `resource_not_found`, `invalid_state` */
  stop(accountId: string, jobId: string, origin?: ChangeOrigin, keyId?: string): Promise<Resend>;
}

/** Matches exact values. An omitted filter matches any value. An unknown value matches no deliveries. */
export interface DeliveryFilters {
  readonly webhook_id?: string | undefined;
  readonly event?: Delivery["event"] | undefined;
  readonly status?: Delivery["status"] | (string & {}) | undefined;
  /**
   * What became of the event: `pending`, `delivered`, `failed` or `cancelled`. Only the first delivery of an event matches. It was
   * delivered too if a resend was accepted.
   */
  readonly outcome?: Delivery["status"] | (string & {}) | undefined;
  readonly project_id?: string | undefined;
  readonly kind?: Delivery["kind"] | (string & {}) | undefined;
  /** Created at this time or later: an ISO 8601 date-time. */
  readonly since?: string | undefined;
  /** Created before this time: an ISO 8601 date-time. */
  readonly until?: string | undefined;
  /** The status of the response to the newest attempt, 100 to 599, such as `"503"`. */
  readonly http_status?: string | undefined;
  /** The error class of the newest attempt. */
  readonly error?: Delivery["last_error"] | (string & {}) | undefined;
  /** The id of an issue: only deliveries with such a failure. */
  readonly issue?: string | undefined;
  /** The least number of attempts, 1 to 100. */
  readonly attempts_min?: string | undefined;
  /**
   * The id of a delivery, record or body, or its beginning; an order number, an e-mail address, or a part of the name or URL of a
   * webhook; in any case.
   */
  readonly q?: string | undefined;
}

export interface AttemptBody {
  /** Encoded as UTF-8, these are the bytes that were signed. */
  readonly body: string;
  /** The `Content-Type` of the request. */
  readonly contentType: string;
}

export interface DeliveryUseCases {
  /** The log, newest first. A page may be shorter than `limit` although there are more. */
  list(accountId: string, filters: DeliveryFilters, page: PageRequest): Promise<Page<Delivery>>;
  /** Reads the pages of `list`. If the host's repository fails, this fails too: a file must not lack deliveries. */
  export(
    accountId: string,
    filters: DeliveryFilters,
  ): Promise<(page: PageRequest) => Promise<Page<ExportedDelivery>>>;
  /**
   * Counts events by what became of them, up to 10,000. It agrees with the ledger. With a filter of kind or status, it counts deliveries
   * by their status. With a filter that no index has, only the newest 10,000 are read.
   */
  count(accountId: string, filters: DeliveryFilters): Promise<DeliveryCounts>;
  /** Sends the current record of a delivery again, with the same body id. @throws `account_unavailable`, `plan_required`, `invalid_state`, `resource_not_found` */
  resend(accountId: string, deliveryId: string, origin?: ChangeOrigin): Promise<Delivery>;
  get(accountId: string, deliveryId: string): Promise<DeliveryDetail>;
  /**
   * The other deliveries of the same event of the same record, newest first: what it sends again, its resends, tests of it, and those of
   * other webhooks. At most 50; the delivery that it sends again and its own resends are the last to be left out.
   *
   * @throws `resource_not_found`
   */
  listRelated(accountId: string, deliveryId: string): Promise<readonly RelatedDelivery[]>;
  /** The exact body that an attempt signed and sent. @throws HookwrightError `resource_not_found` */
  getAttemptBody(accountId: string, deliveryId: string, number: number): Promise<AttemptBody>;
  /** Compares what an endpoint received with what an attempt sent. Nothing of it is kept. @throws `validation_failed`, `resource_not_found` */
  compare(accountId: string, deliveryId: string, number: number, input: unknown): Promise<Comparison>;
}

/** Links that show one delivery to everybody who has them, read-only and without secrets. */
export interface ShareUseCases {
  /** @throws `validation_failed`, `resource_not_found`; `invalid_state` if the delivery has 10 links, or the account 200 */
  create(accountId: string, deliveryId: string, input: unknown, options?: LinkOptions): Promise<CreatedShare>;
  /** The links of a delivery that can be used, newest first. @throws `resource_not_found` */
  list(accountId: string, deliveryId: string): Promise<readonly Share[]>;
  /** Revokes a link. @throws `resource_not_found` */
  remove(accountId: string, shareId: string, origin?: ChangeOrigin): Promise<Deleted>;
  /**
   * What a link shows. A token that is wrong, has expired or was revoked, and one of a removed delivery, all get the same error.
   *
   * @param client as for `SessionUseCases.create`
   * @throws `resource_not_found`; `rate_limited` after 30 such tokens of a network in a minute
   */
  open(token: string, client?: ClientAddress): Promise<SharedDelivery>;
}
