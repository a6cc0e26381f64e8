import { customerOf, fillsAny, normaliseEmail } from "@hookwright/domain";
import type { RecordCustomer } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import type { Listeners } from "../lookups/read-listeners.ts";
import { isReplacedNamed } from "../records/is-replaced-named.ts";
import { leaveAddress } from "../records/subscriber-addresses.ts";
import type { AddressChange } from "../records/subscriber-addresses.ts";
import { parseContactEntry } from "../rows/contact-row.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import type { Publication } from "./publication.ts";

/** What the store holds of all that a publication depends on. */
export interface PublicationReads extends Listeners {
  readonly recordKey: Key;
  readonly recordText: string | undefined;
  /** What `recordText` says. */
  readonly before: RecordRow | undefined;
  /** Whether the log shows the data that is replaced. */
  readonly isReplacedNamed: boolean;
  /** Who the record is about, where it is about somebody. */
  readonly person: Person | undefined;
  /** What becomes of the address that a subscriber had until now. Undefined where it is the same, or there was none. */
  readonly addressLeft: AddressChange | undefined;
}

/** A customer, who becomes a contact, or a subscriber (contract §3). */
export interface Person {
  readonly customer: RecordCustomer | undefined;
  /** Of the entry by address. */
  readonly key: Key;
  /** The entry, undefined while the address is new to the site. */
  readonly entryText: string | undefined;
  /** The row of a customer's contact, where the record brings something that is blank in it. */
  readonly contactText: string | undefined;
}

export async function readForPublication(
  { store, readListeners, keepsContacts }: Pick<ServiceContext, "store" | "readListeners" | "keepsContacts">,
  accountId: string,
  publication: Publication,
): Promise<PublicationReads> {
  const { event, kind, data, json } = publication;
  const recordKey = keys.record(accountId, kind, data.id);
  const customer = keepsContacts ? customerOf(event, data) : undefined;
  const personKey = personKeyOf(accountId, publication, customer);
  // Asked for beside the rest: a remote store then answers both in the time of one.
  const listening = readListeners(accountId, event);
  // Awaited below, or not at all where the other read fails.
  listening.catch(() => {});
  const [recordText, personText] = await store.getMany(
    personKey === undefined ? [recordKey] : [recordKey, personKey],
  );
  const before = recordText === undefined ? undefined : parseRecordRow(recordText);
  const contact =
    customer === undefined || personText === undefined ? undefined : parseContactEntry(personText);
  const contactText =
    customer !== undefined && contact !== undefined && fillsAny(contact.blank, customer)
      ? await store.get(keys.contact(accountId, contact.id))
      : undefined;
  return {
    ...(await listening),
    recordKey,
    recordText,
    before,
    isReplacedNamed: before !== undefined && (await isReplacedNamed(store, accountId, data.id, before, json)),
    person:
      personKey === undefined ? undefined : { customer, key: personKey, entryText: personText, contactText },
    addressLeft: await readAddressLeft(store, accountId, publication, before),
  };
}

async function readAddressLeft(
  store: Store,
  accountId: string,
  { kind, data, projectId }: Publication,
  before: RecordRow | undefined,
): Promise<AddressChange | undefined> {
  if (before === undefined || kind !== "subscribers" || !("email" in data)) return undefined;
  const { email } = before.head;
  if (email === normaliseEmail(data.email)) return undefined;
  return leaveAddress(store, { accountId, projectId, email }, data.id);
}

function personKeyOf(
  accountId: string,
  { kind, data, projectId }: Publication,
  customer: RecordCustomer | undefined,
): Key | undefined {
  if (customer !== undefined) return keys.contactOfEmail(accountId, customer.email, projectId);
  if (kind !== "subscribers" || !("email" in data)) return undefined;
  return keys.subscriberOfEmail(accountId, projectId, normaliseEmail(data.email));
}
