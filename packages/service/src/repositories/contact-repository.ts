import type { KeptContact } from "@hookwright/domain";
import type { ContactKey, MergeContact } from "./merge-contact.ts";
import type { Awaitable, Listed, ListPage, RepositoryCall } from "./repository.ts";

export interface ContactFilters {
  readonly project_id?: string | undefined;
  /** Trimmed, in lower case. */
  readonly email?: string | undefined;
}

/**
 * Contacts in your own database. Inputs are checked before it is asked, and the rules of merging stay here; what it has to do is
 * find and store.
 *
 * A function may answer at once or with a promise, and is waited for 4.5 s. A `HookwrightError` that it throws goes to the client as it
 * is; anything else is a fault: it is logged, and the client is told 500, or 503 for a `RepositoryError` that says `unavailable`.
 *
 * @example
 * const contacts: ContactRepository = {
 *   get: (accountId, id) => database.findContact(accountId, id),
 *   list: (accountId, filters, page) => database.listContacts(accountId, filters, page),
 *   upsert: (accountId, key, merge) => database.transaction(() => { … }),
 * };
 */
export interface ContactRepository {
  /** The contact, where this account has it; undefined or null where it has not. The id may be any text that could be one. */
  get(accountId: string, contactId: string, call: RepositoryCall): Awaitable<KeptContact | undefined | null>;
  /** Contacts of this account that match every filter exactly, newest first. */
  list(
    accountId: string,
    filters: ContactFilters,
    page: ListPage & RepositoryCall,
  ): Awaitable<readonly Listed<KeptContact>[]>;
  /**
   * Creates the contact, or changes the one there is, and answers it. All in one transaction: two at once for one address are one
   * contact.
   *
   * @param merge what to store, from what is stored. Ask it inside the transaction, again where that is repeated.
   */
  upsert(
    accountId: string,
    key: ContactKey,
    merge: MergeContact,
    call: RepositoryCall,
  ): Awaitable<KeptContact>;
}
