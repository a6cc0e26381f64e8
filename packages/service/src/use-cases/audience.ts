import type { Contact, Deleted, EmailList, Subscriber } from "@hookwright/domain";
import type { ChangeOrigin } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

export interface ContactUseCases {
  /**
   * `POST /v1/contacts`: creates the contact, or updates the contact with this address on this site.
   *
   * @param projectId only this site exists. @default all sites of the account
   */
  write(
    accountId: string,
    input: unknown,
    projectId?: string,
  ): Promise<{ readonly contact: Contact; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined; readonly email?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Contact>>;
  /** @param projectId only a contact of this site exists. @default any site */
  get(accountId: string, contactId: string, projectId?: string): Promise<Contact>;
  /**
   * Removes a contact, and the subscriptions of its address on its site. Nothing is sent. Its other records, such as orders, stay.
   *
   * @throws HookwrightError `resource_not_found`; `invalid_state` if the host keeps the contacts
   */
  remove(accountId: string, contactId: string, origin?: ChangeOrigin): Promise<Deleted>;
}

export interface SubscriberUseCases {
  /**
   * `POST /v1/subscribers`: a new subscriber emits `subscriber.created`.
   *
   * @param projectId only this site exists. @default all sites of the account
   */
  subscribe(
    accountId: string,
    input: unknown,
    projectId?: string,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
  /** Stores a subscriber without emitting an event. @throws HookwrightError `validation_failed` */
  put(
    projectId: string,
    email: string,
    input: unknown,
  ): Promise<{ readonly subscriber: Subscriber; readonly created: boolean }>;
}

export interface EmailListUseCases {
  /** Creates or updates an email list. @throws HookwrightError `validation_failed` */
  put(
    listId: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{ readonly emailList: EmailList; readonly created: boolean }>;
  list(
    accountId: string,
    filters: { readonly project_id?: string | undefined },
    page: PageRequest,
  ): Promise<Page<EmailList>>;
}

export interface SuppressionUseCases {
  /** Blocks new subscriptions of this address. @throws HookwrightError `validation_failed` */
  put(
    email: string,
    input: unknown,
    origin?: ChangeOrigin,
  ): Promise<{
    readonly email: string;
    readonly reason: "bounced" | "complained";
    readonly created: boolean;
  }>;
  remove(email: string, origin?: ChangeOrigin): Promise<{ readonly email: string; readonly deleted: true }>;
}
