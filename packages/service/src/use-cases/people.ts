import type {
  ConsoleLink,
  CreatedInvitation,
  Deleted,
  Invitation,
  LinkedSession,
  ListedSession,
  Person,
  Session,
} from "@hookwright/domain";
import type { Caller, ChangeOrigin, ClientAddress, LinkOptions } from "./caller.ts";
import type { Page, PageRequest } from "./page.ts";

/** Sign-ins of the developer console. */
export interface SessionUseCases {
  /**
   * Signs in to the console.
   *
   * @param client.clientAddress the IP address of the client, which the sign-in limits use: that of the connection, or
   * one that a trusted proxy named. Never take it from a header that the client can write. @default unknown
   * @param client.isForwarded true if a trusted proxy named the address. @default false
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  create(input: unknown, client?: ClientAddress): Promise<Session>;
  /**
   * Creates a link that opens the console of an account once, for a menu of the host.
   *
   * @param options.basePath the path below which the console is served. @default ""
   * @returns the path of the console with a code behind `#`
   * @throws HookwrightError `validation_failed`, `resource_not_found`
   */
  createLink(accountId: string, input?: unknown, options?: LinkOptions): Promise<ConsoleLink>;
  /**
   * Exchanges the code of a link for a session, as the page of the console does. Each code works once.
   *
   * @param client as for `create`
   * @throws HookwrightError `validation_failed`, `invalid_credentials`, `rate_limited`
   */
  exchangeLink(input: unknown, client?: ClientAddress): Promise<LinkedSession>;
  /**
   * What an invitation is for.
   *
   * @param client as for `create`
   * @throws HookwrightError `resource_not_found` if it was used, has expired or was withdrawn; `rate_limited`
   */
  getInvitation(token: string, client?: ClientAddress): Promise<Invitation>;
  /**
   * Accepts an invitation and signs the person in. It works once.
   *
   * @param client as for `create`
   * @throws HookwrightError `validation_failed`, `resource_not_found`, `rate_limited`
   */
  acceptInvitation(
    token: string,
    input: unknown,
    client?: ClientAddress,
    origin?: Pick<ChangeOrigin, "requestId">,
  ): Promise<Session>;
  /** The open sessions of the account, newest first: all for a caller with the right `people`, otherwise the caller's own. */
  list(caller: SessionCaller, page: PageRequest): Promise<Page<ListedSession>>;
  /**
   * Ends one session at once.
   *
   * @throws HookwrightError `resource_not_found`; `forbidden` if it is that of somebody else, and the caller lacks the right `people`
   */
  end(
    caller: SessionCaller,
    sessionId: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly signed_out: true }>;
  /**
   * Changes the name, the time zone or the password of the caller. A new password ends all other sessions of the person.
   *
   * @param options.token of the caller's session
   * @param options.client as for `create`
   * @throws HookwrightError `validation_failed`, also for a wrong current password; `rate_limited`, as for `create`; `read_only_demo`;
   * `invalid_state` unless the session is that of a person who was invited
   */
  changeOwn(
    caller: SessionCaller,
    input: unknown,
    options: {
      readonly token: string;
      readonly client?: ClientAddress;
      readonly origin?: ChangeOrigin;
    },
  ): Promise<Person>;
  /** Signs out. An unknown token is not an error. */
  remove(token: string): Promise<{ readonly signed_out: true }>;
  /**
   * Ends all sessions of an account, and its links that are not used yet.
   *
   * @throws HookwrightError `resource_not_found`
   */
  removeAll(
    accountId: string,
    origin?: ChangeOrigin,
  ): Promise<{ readonly id: string; readonly signed_out: true }>;
}

export type SessionCaller = Pick<Caller, "account" | "accountId" | "credential" | "person" | "rights">;

/** The people of an account, who sign in to its console with a password of their own. */
export interface PeopleUseCases {
  /** Newest first, so the login of the account is the last. At most 101, open invitations included. @throws `resource_not_found` */
  list(accountId: string): Promise<readonly Person[]>;
  /**
   * Invites somebody, or replaces the invitation of the address. Only this response contains the link, which works once within 7 days.
   *
   * @throws HookwrightError `validation_failed`, `resource_not_found`; `invalid_state` if the address is already in the list, or the list
   * has 100 people and invitations
   */
  invite(accountId: string, input: unknown, options?: LinkOptions): Promise<CreatedInvitation>;
  /** Changes the role. It counts from the next request. @throws `validation_failed`, `resource_not_found`; `invalid_state` for the login of the account */
  change(accountId: string, personId: string, input: unknown, origin?: ChangeOrigin): Promise<Person>;
  /** Removes a person or an invitation. Sessions end at once. @throws `resource_not_found`; `invalid_state` for the login of the account */
  remove(accountId: string, personId: string, origin?: ChangeOrigin): Promise<Deleted>;
}
