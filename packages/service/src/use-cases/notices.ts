import type {
  CreatedNoticeTarget,
  Deleted,
  NoticeEndpoint,
  NoticeStop,
  NoticeTarget,
  PutNoticeEndpoint,
  SentNotice,
} from "@hookwright/domain";
import type { ChangeOrigin, ClientAddress } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** Whom an account wants to be told: at most 20 addresses and URLs. */
export interface NoticeTargetUseCases {
  /** Oldest first. */
  list(accountId: string): Promise<readonly NoticeTarget[]>;
  /** @throws `validation_failed`, `invalid_target_url`; `invalid_state` if it exists, there are 20, or no mail may ask for a confirmation */
  create(accountId: string, input: unknown, origin?: ChangeOrigin): Promise<CreatedNoticeTarget>;
  /** @throws `validation_failed`, `resource_not_found` */
  update(accountId: string, id: string, input: unknown, origin?: ChangeOrigin): Promise<NoticeTarget>;
  /** @throws `resource_not_found` */
  remove(accountId: string, id: string, origin?: ChangeOrigin): Promise<Deleted>;
  /** Sends a notice that says that it is a test, in the background. @throws `resource_not_found`; `invalid_state` if it is not active */
  test(accountId: string, id: string): Promise<{ readonly id: string; readonly sent: true }>;
  /** Sends the link that confirms an address again. @throws `resource_not_found`; `invalid_state` if none is needed, or too many were sent */
  resendConfirmation(accountId: string, id: string): Promise<{ readonly id: string; readonly sent: true }>;
  /** What the link of a mail confirms. @throws as `describeStop` */
  describeConfirmation(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** The address gets notices from now on. @throws as `describeStop` */
  confirm(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** What the link of a mail stops. @throws `resource_not_found`; `rate_limited` as `ShareUseCases.open` */
  describeStop(token: string, client?: ClientAddress): Promise<NoticeStop>;
  /** Removes the target. @throws as `describeStop` */
  stop(token: string, client?: ClientAddress): Promise<NoticeStop>;
}

/** The URL of the operator that gets notices of all accounts. */
export interface NoticeEndpointUseCases {
  /**
   * Sets the URL, and which kinds it gets (at first all). Only a call that creates it answers with the `signing_secret`: others keep it.
   *
   * @throws `validation_failed`, `invalid_target_url`
   */
  put(
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly data: PutNoticeEndpoint; readonly created: boolean }>;
  /** @throws `resource_not_found` */
  get(): Promise<NoticeEndpoint>;
  /** Pending notices are not sent. @throws `resource_not_found` */
  remove(origin?: ChangeOrigin): Promise<{ readonly url: string; readonly deleted: true }>;
  /** The notices that were sent to it in the last 30 days, newest first. @throws `invalid_cursor` */
  list(page: PageRequest): Promise<Page<SentNotice>>;
}
