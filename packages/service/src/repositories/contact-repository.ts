import type { KeptContact } from "@hookwright/domain";
import type { ContactKey, MergeContact } from "./merge-contact.ts";
import type { Awaitable, Listed, ListPage, RepositoryCall } from "./repository.ts";

export interface ContactFilters {
  readonly project_id?: string | undefined;
  /** Trimmed and in lower case. */
  readonly email?: string | undefined;
}

/**
 * Stores contacts in your own database. Hookwright validates the input and merges contacts. The repository only finds and stores.
 *
 * A function may return a value or a promise. It has 4.5 s. The client receives a `HookwrightError` that it throws unchanged. Any other
 * error is logged, and the client gets 500, or 503 for a `RepositoryError` with the code `unavailable`.
 *
 * @example
 * const contacts: ContactRepository = {
 *   get: (accountId, id) => database.findContact(accountId, id),
 *   list: (accountId, filters, page) => database.listContacts(accountId, filters, page),
 *   upsert: (accountId, key, merge) => database.transaction(() => { … }),
 * };
 */
export interface ContactRepository {
  /** Returns the contact of this account; undefined or null if there is none. `contactId` comes from the client. */
  get(accountId: string, contactId: string, call: RepositoryCall): Awaitable<KeptContact | undefined | null>;
  /** Returns contacts of this account that match every filter exactly, newest first. */
  list(
    accountId: string,
    filters: ContactFilters,
    page: ListPage & RepositoryCall,
  ): Awaitable<readonly Listed<KeptContact>[]>;
  /**
   * Creates or updates the contact and returns it. Use one transaction, so that two parallel calls for one address create one contact.
   *
   * @param merge computes the new fields from the stored fields. Call it inside the transaction, and again if that is repeated.
   */
  upsert(
    accountId: string,
    key: ContactKey,
    merge: MergeContact,
    call: RepositoryCall,
  ): Awaitable<KeptContact>;
}
