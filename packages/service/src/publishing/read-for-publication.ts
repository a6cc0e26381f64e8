import { listWebhooks, readWebhooksOfSeveral, receives, severalEventsKey } from "@hookwright/delivery";
import type { WebhookRow } from "@hookwright/delivery";
import { customerOf, fillsAny, isEmailAddress, isOfKind, maximumWebhooks } from "@hookwright/domain";
import type { RecordCustomer } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { isVersionReferenced } from "../lookups/find-records.ts";
import { leaveAddress } from "../rows/subscriber-addresses.ts";
import type { AddressChange } from "../rows/subscriber-addresses.ts";
import { parseContactEntry } from "../rows/contact-row.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import type { RecordRow } from "../rows/record-row.ts";
import type { Publication } from "./publication.ts";

/** The rows that a publication depends on. */
export interface PublicationReads {
  /** `undefined`: there is no such account. */
  readonly accountText: string | undefined;
  /** The listeners of the account. `undefined`: it has none. */
  readonly listenerIndexText: string | undefined;
  /** All webhooks of the event, in any status. */
  readonly webhooks: readonly WebhookRow[];
  readonly recordKey: Key;
  readonly recordText: string | undefined;
  /** `recordText`, parsed. */
  readonly before: RecordRow | undefined;
  /** The row of an event with an id. `undefined`: the event has none. */
  readonly ofEvent: StoredRow | undefined;
  /** Whether a delivery in the log may show the replaced data. */
  readonly isVersionReferenced: boolean;
  /** The person that the record is about, if any. */
  readonly person: Person | undefined;
  /** The change of the previous address of a subscriber. `undefined`: there is none, or it is the same. */
  readonly addressLeft: AddressChange | undefined;
}

/** A row of the table of records, if it exists. */
export interface StoredRow {
  readonly kind: string;
  readonly id: string;
  readonly key: Key;
  readonly text: string | undefined;
  /** `text`, parsed. */
  readonly before: RecordRow | undefined;
}

/** A customer, who becomes a contact, or a subscriber (contract: People). */
interface Addressee {
  readonly customer: RecordCustomer | undefined;
  /** Normalised. */
  readonly email: string;
  /** The key of the entry by address. */
  readonly key: Key;
}

/** A customer or subscriber, with the stored rows. */
export interface Person extends Addressee {
  /** The entry by address. `undefined`: the address is new to the project. */
  readonly entryText: string | undefined;
  /** The contact of a customer, if the record fills one of its blank fields. */
  readonly contactText: string | undefined;
}

/**
 * Reads what each publication depends on, in order. All is read together, and shared rows are read once: a hundred new records cost two
 * reads.
 */
export async function readForPublications(
  { store, keepsContacts }: Pick<ServiceContext, "store" | "keepsContacts">,
  accountId: string,
  publications: readonly Publication[],
): Promise<PublicationReads[]> {
  const wanted: Key[] = [keys.account(accountId), keys.listenerIndex(accountId), severalEventsKey(accountId)];
  const places = publications.map((publication) => {
    const { kind, data } = publication;
    const recordKey = keys.record(accountId, kind, data.id);
    const customer = keepsContacts ? customerOf(kind, data) : undefined;
    const addressee = findAddressee(accountId, publication, customer);
    const recordIndex = wanted.push(recordKey) - 1;
    const entryIndex = addressee === undefined ? undefined : wanted.push(addressee.key) - 1;
    const eventIndex =
      publication.eventId === undefined ? undefined : wanted.push(eventKeyOf(accountId, publication)) - 1;
    return { publication, recordKey, addressee, recordIndex, entryIndex, eventIndex };
  });
  const [texts, ofKey] = await Promise.all([
    store.getMany(wanted),
    listWebhooksOf(store, accountId, new Set(publications.map(({ event }) => event))),
  ]);
  const webhooks =
    texts[2] === undefined
      ? ofKey
      : joinSeveral(ofKey, await readWebhooksOfSeveral(store, accountId, texts[2]));
  const reads = places.map((place): PublicationReads => {
    const { publication, recordKey, addressee } = place;
    const recordText = texts[place.recordIndex];
    return {
      accountText: texts[0],
      listenerIndexText: texts[1],
      webhooks: webhooks.get(publication.event) ?? [],
      recordKey,
      recordText,
      before: recordText === undefined ? undefined : parseRecordRow(recordText),
      ofEvent:
        place.eventIndex === undefined
          ? undefined
          : toEventRow(accountId, publication, texts[place.eventIndex]),
      isVersionReferenced: false,
      person: addressee && {
        ...addressee,
        entryText: place.entryIndex === undefined ? undefined : texts[place.entryIndex],
        contactText: undefined,
      },
      addressLeft: undefined,
    };
  });
  const further: Promise<unknown>[] = [];
  reads.forEach((read, index) => {
    const publication = publications[index];
    if (publication === undefined || !isIncomplete(read)) return;
    further.push(
      complete(store, accountId, publication, read).then((completed) => (reads[index] = completed)),
    );
  });
  if (further.length > 0) await Promise.all(further);
  return reads;
}

/** An event with an id has a row of its own kind, so its body id is unique: `<event>_<id>`. */
function eventKeyOf(accountId: string, { event, eventId = "" }: Publication): Key {
  return keys.record(accountId, event, eventId);
}

function toEventRow(accountId: string, publication: Publication, text: string | undefined): StoredRow {
  const { event, eventId = "" } = publication;
  const before = text === undefined ? undefined : parseRecordRow(text);
  return { kind: event, id: eventId, key: eventKeyOf(accountId, publication), text, before };
}

/** Reads what a single publication depends on. */
export async function readForPublication(
  context: Pick<ServiceContext, "store" | "keepsContacts">,
  accountId: string,
  publication: Publication,
): Promise<PublicationReads> {
  const [reads] = await readForPublications(context, accountId, [publication]);
  if (reads === undefined) throw new Error(`nothing was read for ${publication.data.id}`);
  return reads;
}

/** The webhooks with each event in their key. */
async function listWebhooksOf(
  store: Store,
  accountId: string,
  events: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly WebhookRow[]>> {
  const lists = Array.from(events, async (event) => {
    return [event, await listWebhooks(store, accountId, { event, limit: maximumWebhooks })] as const;
  });
  return new Map(await Promise.all(lists));
}

/** With those that get several events. They may have lost the event in their key. */
function joinSeveral(
  ofKey: ReadonlyMap<string, readonly WebhookRow[]>,
  several: readonly WebhookRow[],
): ReadonlyMap<string, readonly WebhookRow[]> {
  return new Map(
    Array.from(ofKey, ([event, webhooks]) => {
      const others = several.filter((webhook) => webhook.event !== event);
      return [event, [...webhooks, ...others].filter((webhook) => receives(webhook, event))];
    }),
  );
}

/** Whether more must be read: for an existing record, or a contact that the record fills. */
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
    isVersionReferenced: await isVersionReferenced(store, accountId, data.id, before, JSON.stringify(data)),
    person: person && { ...person, contactText },
    addressLeft: await readAddressLeft(store, accountId, publication, before),
  };
}

/** The contact with a blank field that the record fills. */
function contactToFill({ customer, entryText }: Person): string | undefined {
  if (customer === undefined || entryText === undefined) return undefined;
  const { id, blank } = parseContactEntry(entryText);
  return fillsAny(blank, customer) ? id : undefined;
}

async function readAddressLeft(
  store: Store,
  accountId: string,
  publication: Publication,
  before: RecordRow,
): Promise<AddressChange | undefined> {
  const { projectId } = publication;
  if (!isOfKind(publication, "subscribers")) return undefined;
  const { data } = publication;
  const { email } = before.head;
  if (email === "" || email === data.email) return undefined;
  return leaveAddress(store, { accountId, projectId, email }, data.id);
}

function findAddressee(
  accountId: string,
  publication: Publication,
  customer: RecordCustomer | undefined,
): Addressee | undefined {
  const { projectId } = publication;
  if (customer !== undefined) {
    const { email } = customer;
    return { customer, email, key: keys.contactOfEmail(accountId, email, projectId) };
  }
  // Nobody is found by a text that is not an address.
  if (!isOfKind(publication, "subscribers") || !isEmailAddress(publication.data.email)) return undefined;
  const { email } = publication.data;
  return { customer, email, key: keys.subscriberOfEmail(accountId, projectId, email) };
}
