import type { ContactFields, KeptContact } from "@hookwright/domain";
import type { Awaitable, Listed, ListPage } from "./repository.ts";

export interface ContactFilters {
  readonly project_id?: string | undefined;
  /** Trimmed, in lower case. */
  readonly email?: string | undefined;
}

/** Who a contact is: one for each address on each site. The address is trimmed and in lower case. */
export interface ContactKey {
  readonly project_id: string;
  readonly email: string;
}

/**
 * Contacts in your own database. Inputs are checked before it is asked, and the rules of merging stay here; what it has to do is
 * find and store.
 *
 * A function may answer at once or with a promise, within 4.5 s. A `HookwrightError` that it throws goes to the client as it is; anything
 * else is a fault: it is logged, and the client is told 500.
 *
 * @example
 * const contacts: ContactRepository = {
 *   get: (accountId, id) => database.findContact(accountId, id),
 *   list: (accountId, filters, page) => database.listContacts(accountId, filters, page),
 *   upsert: (accountId, key, merge) => database.transaction(() => { … }),
 * };
 */
export interface ContactRepository {
  /** The contact, where this account has it; undefined or null where it has not. */
  get(accountId: string, contactId: string): Awaitable<KeptContact | undefined | null>;
  /** Contacts of this account that match every filter, newest first. */
  list(accountId: string, filters: ContactFilters, page: ListPage): Awaitable<readonly Listed<KeptContact>[]>;
  /**
   * Creates the contact, or changes the one there is, in one transaction: two at once for one address are one contact.
   *
   * @param merge gives the fields to store, from those that are stored (undefined: there is none); the very same object where nothing
   * changes. It may throw, and may be called again where a transaction is repeated.
   */
  upsert(
    accountId: string,
    key: ContactKey,
    merge: (stored: ContactFields | undefined) => ContactFields,
  ): Awaitable<{ readonly contact: KeptContact; readonly created: boolean }>;
}
