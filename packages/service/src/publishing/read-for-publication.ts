import { keys as webhookKeys, parseWebhookRow } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { customerOf, fillsAny, isEmailAddress } from "@hookwright/domain";
import type { EventName, RecordCustomer } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { maximumWebhooks } from "../lookups/find-webhooks.ts";
import { isReplacedNamed } from "../records/is-replaced-named.ts";
import { leaveAddress } from "../records/subscriber-addresses.ts";
import type { AddressChange } from "../records/subscriber-addresses.ts";
import { parseContactEntry } from "../rows/contact-row.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import type { Publication } from "./publication.ts";

/** What the store holds of all that a publication depends on. */
export interface PublicationReads {
  /** Undefined where there is no such account. */
  readonly accountText: string | undefined;
  /** Those that subscribe to the event, whatever their state. */
  readonly webhooks: readonly WebhookRow[];
  readonly recordKey: Key;
  readonly recordText: string | undefined;
  /** Whether it was not looked for: it is taken for new. */
  readonly isTakenForNew: boolean;
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
interface Addressee {
  readonly customer: RecordCustomer | undefined;
  /** In the form in which addresses are compared. */
  readonly email: string;
  /** Of the entry by address. */
  readonly key: Key;
}

/** What is known of them. */
export interface Person extends Addressee {
  /** The entry, undefined while the address is new to the site. */
  readonly entryText: string | undefined;
  /** The row of a customer's contact, where the record brings something that is blank in it. */
  readonly contactText: string | undefined;
}

/** For {@link readForPublications}: every record is read. */
export const noneIsNew = (): boolean => false;

/**
 * What each of them depends on, in their order. It is asked for at once, and what they share once: of a hundred that are published
 * together nearly all are new, and cost the store two reads.
 *
 * @param mayBeNew of these the record is not read, but taken for new
 */
export async function readForPublications(
  { store, keepsContacts }: Pick<ServiceContext, "store" | "keepsContacts">,
  accountId: string,
  publications: readonly Publication[],
  mayBeNew: (event: EventName) => boolean = noneIsNew,
): Promise<PublicationReads[]> {
  const wanted: Key[] = [keys.account(accountId)];
  const places = publications.map((publication) => {
    const { event, kind, data } = publication;
    const recordKey = keys.record(accountId, kind, data.id);
    const customer = keepsContacts ? customerOf(event, data) : undefined;
    const addressee = findAddressee(accountId, publication, customer);
    const recordIndex = mayBeNew(event) ? undefined : wanted.push(recordKey) - 1;
    const entryIndex = addressee === undefined ? undefined : wanted.push(addressee.key) - 1;
    return { publication, recordKey, addressee, recordIndex, entryIndex };
  });
  const [texts, listeners] = await Promise.all([
    store.getMany(wanted),
    readListeners(store, accountId, new Set(publications.map(({ event }) => event))),
  ]);
  const textAt = (index: number | undefined) => (index === undefined ? undefined : texts[index]);
  const reads = places.map((place): PublicationReads => {
    const { publication, recordKey, addressee } = place;
    const recordText = textAt(place.recordIndex);
    return {
      accountText: texts[0],
      webhooks: listeners.get(publication.event) ?? [],
      recordKey,
      recordText,
      isTakenForNew: place.recordIndex === undefined,
      before: recordText === undefined ? undefined : parseRecordRow(recordText),
      isReplacedNamed: false,
      person: addressee && { ...addressee, entryText: textAt(place.entryIndex), contactText: undefined },
      addressLeft: undefined,
    };
  });
  const further: Promise<unknown>[] = [];
  reads.forEach((read, index) => {
    const publication = publications[index];
    if (publication === undefined || !isIncomplete(read)) return;
    further.push(complete(store, accountId, publication, read).then((whole) => (reads[index] = whole)));
  });
  if (further.length > 0) await Promise.all(further);
  return reads;
}

/** What one depends on that goes by itself. */
export async function readForPublication(
  context: Pick<ServiceContext, "store" | "keepsContacts">,
  accountId: string,
  publication: Publication,
): Promise<PublicationReads> {
  const [reads] = await readForPublications(context, accountId, [publication]);
  if (reads === undefined) throw new Error(`nothing was read for ${publication.data.id}`);
  return reads;
}

async function readListeners(
  store: Store,
  accountId: string,
  events: ReadonlySet<EventName>,
): Promise<ReadonlyMap<EventName, readonly WebhookRow[]>> {
  const lists = Array.from(events, async (event) => {
    const prefix = webhookKeys.webhooks(accountId, event);
    const entries = await store.list({ prefix, limit: maximumWebhooks });
    return [event, entries.map(({ value }) => parseWebhookRow(value))] as const;
  });
  return new Map(await Promise.all(lists));
}

/** Whether there is something to be read yet: of a record that is there already, or a contact that it fills in. */
function isIncomplete({ before, person }: PublicationReads): boolean {
  return before !== undefined || (person !== undefined && contactToFill(person) !== undefined);
}

async function complete(
  store: Store,
  accountId: string,
  publication: Publication,
  read: PublicationReads,
): Promise<PublicationReads> {
  const { before, person } = read;
  const contactId = person === undefined ? undefined : contactToFill(person);
  const contactText =
    contactId === undefined ? undefined : await store.get(keys.contact(accountId, contactId));
  if (before === undefined) return { ...read, person: person && { ...person, contactText } };
  const { data } = publication;
  return {
    ...read,
    isReplacedNamed: await isReplacedNamed(store, accountId, data.id, before, JSON.stringify(data)),
    person: person && { ...person, contactText },
    addressLeft: await readAddressLeft(store, accountId, publication, before),
  };
}

/** The contact in which something is blank that the record brings. */
function contactToFill({ customer, entryText }: Person): string | undefined {
  if (customer === undefined || entryText === undefined) return undefined;
  const { id, blank } = parseContactEntry(entryText);
  return fillsAny(blank, customer) ? id : undefined;
}

async function readAddressLeft(
  store: Store,
  accountId: string,
  { kind, data, projectId }: Publication,
  before: RecordRow,
): Promise<AddressChange | undefined> {
  if (kind !== "subscribers" || !("email" in data)) return undefined;
  const { email } = before.head;
  if (email === "" || email === data.email) return undefined;
  return leaveAddress(store, { accountId, projectId, email }, data.id);
}

function findAddressee(
  accountId: string,
  { kind, data, projectId }: Publication,
  customer: RecordCustomer | undefined,
): Addressee | undefined {
  if (customer !== undefined) {
    const { email } = customer;
    return { customer, email, key: keys.contactOfEmail(accountId, email, projectId) };
  }
  // Nobody can be found by a text that is no address.
  if (kind !== "subscribers" || !("email" in data) || !isEmailAddress(data.email)) return undefined;
  const { email } = data;
  return { customer, email, key: keys.subscriberOfEmail(accountId, projectId, email) };
}
