import {
  createDelivery,
  toLedgerMutations,
  toMissedEntry,
  toNotification,
  toQueuedEntry,
  toQueueMutations,
} from "@hookwright/delivery";
import type { DeliveryRow, LedgerEntry } from "@hookwright/delivery";
import {
  HookwrightError,
  isEmailAddress,
  isOfKind,
  keepCreatedAt,
  normaliseEmail,
  takeSnapshot,
  validationFailed,
} from "@hookwright/domain";
import type { RecordData, RecordSnapshot } from "@hookwright/domain";
import type { Check, Key, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { toMissedMutation } from "../rows/missed-events.ts";
import { addRecordMutations } from "../rows/record-change.ts";
import { joinAddress } from "../rows/subscriber-addresses.ts";
import type { AddressChange } from "../rows/subscriber-addresses.ts";
import { toIndexText } from "../rows/record-row.ts";
import { joinFields } from "../rows/render-body.ts";
import { mayDeliver, parseAccountRow } from "../rows/account-row.ts";
import type { OwnFields, RecordHead } from "../rows/record-row.ts";
import { contactOfRecord } from "./contact-of-record.ts";
import type { Publication } from "./publication.ts";
import type { PublicationReads, StoredRow } from "./read-for-publication.ts";

/** The result of a publish, after the commit. */
export interface Published {
  readonly deliveries: readonly DeliveryRow[];
  /** The event was published before: no new deliveries. */
  readonly duplicate: boolean;
}

/** A commit that is being prepared. */
export interface CommitDraft {
  readonly checks: Check[];
  readonly mutations: Mutation[];
  /** What it counts in the ledger, see {@link endCommit}. */
  readonly counted: LedgerEntry[];
  /** The queues with deliveries for another process, and inboxes of listeners, if any. May contain duplicates. */
  notify: Key[] | undefined;
  /** The rows of the outbox whose events it publishes. */
  takes: string[] | undefined;
  /** The creation time of its rows. Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Prepares the commit that publishes one event. It checks that the rows it depends on are unchanged.
 *
 * @throws HookwrightError `validation_failed` if the record belongs to another project, or there is no such account
 */
export function preparePublication(
  context: ServiceContext,
  accountId: string,
  publication: Publication,
  reads: PublicationReads,
): { readonly commit: CommitDraft; readonly published: Published } {
  const commit: CommitDraft = beginCommit(context.now());
  const { published } = addPublication(commit, context, accountId, publication, reads);
  endCommit(commit);
  return { commit, published };
}

export function beginCommit(now: number): CommitDraft {
  return { checks: [], mutations: [], counted: [], notify: undefined, takes: undefined, now };
}

/** Adds what the commit counts, once for all its publications. */
export function endCommit({ mutations, counted }: CommitDraft): void {
  mutations.push(...toLedgerMutations(counted));
}

export interface AddedPublication {
  readonly published: Published;
  /** Whether the commit changes the contact or subscriber. */
  readonly changesPerson: boolean;
  /** Characters of the row of the record. */
  readonly size: number;
}

/**
 * Adds the publication of an event to a commit. If it throws, some of its rows may have been added.
 *
 * @throws HookwrightError as {@link preparePublication} does
 */
export function addPublication(
  draft: CommitDraft,
  context: ServiceContext,
  accountId: string,
  publication: Publication,
  reads: PublicationReads,
): AddedPublication {
  const { event, kind, projectId, data } = publication;
  const { accountText, before, recordKey, recordText, ofEvent } = reads;
  const { checks, mutations, counted, now } = draft;
  if (accountText === undefined) throw new HookwrightError("validation_failed", "project_id: no such site");
  // What deliveries name, and what remembers that the event was published.
  const row: StoredRow = ofEvent ?? { kind, id: data.id, key: recordKey, text: recordText, before };
  if (row.before !== undefined && row.before.head.project_id !== projectId) {
    const field = ofEvent === undefined ? `data.id: ${data.id} is a record` : `id: ${row.id} is an event`;
    throw validationFailed([`${field} of another site of this account`]);
  }
  const duplicate = row.before?.head.events.includes(event) ?? false;
  // An event with an id sends what was published first. An older copy of it must not change the record.
  if (duplicate && (ofEvent ?? before?.head.about) !== undefined) {
    checks.push({ key: row.key, value: row.text });
    takeRow(draft, publication);
    return { published: { deliveries: [], duplicate }, changesPerson: false, size: 0 };
  }
  const maySend = !duplicate && mayDeliver(parseAccountRow(accountText));
  const recordId = row.id;
  const recordArrival = row.before?.head.arrival ?? publication.arrival;
  const about = ofEvent && data.id;
  const deliveries: DeliveryRow[] = [];
  const missed: Mutation[] = [];
  if (!duplicate) {
    for (const webhook of reads.webhooks) {
      if ((webhook.project_id ?? projectId) !== projectId) continue;
      if (!maySend || webhook.status !== "active") {
        missed.push(
          toMissedMutation(accountId, {
            webhookId: webhook.id,
            publishedAt: now,
            recordArrival,
            recordId,
            event: webhook.events && event,
          }),
        );
        counted.push(toMissedEntry({ accountId, webhookId: webhook.id, projectId, event, at: now }));
        continue;
      }
      const id = context.newId("dlv");
      deliveries.push(
        createDelivery({
          id,
          webhook,
          event,
          recordId,
          recordArrival,
          about,
          projectId,
          kind: "event",
          now,
          traceParent: publication.traceParent,
        }),
      );
    }
  }
  const start = mutations.length;
  const change = { publication, reads, deliveries, duplicate, now };
  const isOutdated = isOwnKind(publication) ? false : addRecord(draft, context, accountId, change);
  if (ofEvent !== undefined) addEvent(draft, context, accountId, change, ofEvent);
  const size = rowLengthOf(mutations[start]);
  for (const delivery of deliveries) {
    mutations.push(...toQueueMutations(accountId, delivery));
    counted.push(toQueuedEntry(accountId, delivery));
  }
  mutations.push(...missed);
  const ofRecord = mutations.length;
  for (const change of isOutdated ? [] : personChanges(context, accountId, publication, reads, now)) {
    checks.push(...change.checks);
    mutations.push(...change.mutations);
  }
  const changesPerson = mutations.length > ofRecord;
  if (maySend && reads.listenerIndexText !== undefined) {
    const forListeners = context.listenerInbox.add(accountId, reads.listenerIndexText, {
      id: context.newId("dlv"),
      event,
      record_id: recordId,
      record_arrival: recordArrival,
      ...(about !== undefined && { about }),
      project_id: projectId,
      created_at: now,
    });
    mutations.push(...(forListeners?.mutations ?? []));
    if (forListeners !== undefined) (draft.notify ??= []).push(...forListeners.notify);
  }
  if (deliveries.length > 0 && !context.worker.delivers(accountId))
    (draft.notify ??= []).push(...toNotification(accountId, deliveries));
  takeRow(draft, publication);
  return { published: { deliveries, duplicate }, changesPerson, size };
}

function takeRow(draft: CommitDraft, { takes }: Publication): void {
  if (takes !== undefined) (draft.takes ??= []).push(takes);
}

interface Change {
  readonly publication: Publication;
  readonly reads: PublicationReads;
  readonly deliveries: readonly DeliveryRow[];
  readonly duplicate: boolean;
  readonly now: number;
}

/** Whether the row of the event is all that is stored: an event with an id has no other record in its own kind. */
function isOwnKind({ event, kind, eventId }: Publication): boolean {
  return eventId !== undefined && kind === event;
}

/**
 * Adds the change of the record.
 *
 * @returns whether the stored record is newer, and stays
 */
function addRecord(
  { checks, mutations }: CommitDraft,
  context: Pick<ServiceContext, "nextArrival">,
  accountId: string,
  { publication, reads, deliveries, duplicate, now }: Change,
): boolean {
  const { kind, data, eventId, asOf, projectId } = publication;
  const { before, recordKey, recordText } = reads;
  if (before !== undefined && before.head.project_id !== projectId)
    throw validationFailed([`data.id: ${data.id} is a record of another site of this account`]);
  const hasId = eventId !== undefined;
  const event = hasId ? undefined : publication.event;
  const { snapshot, isOutdated } = takeSnapshot(before?.head, { event, asOf, now });
  // A snapshot that is older than the stored one changes neither the record nor the person.
  const kept = isOutdated ? before : undefined;
  const created = keepCreatedAt(before?.head.created_at, publication);
  const head = toHead({
    publication,
    before: before?.head,
    kept: kept?.head,
    snapshot,
    deliveries: hasId ? [] : deliveries,
    createdAt: created.createdAt,
    ownFields: joinOwnFields(before?.head, publication, hasId || (isOutdated && duplicate)),
  });
  checks.push({ key: recordKey, value: recordText });
  addRecordMutations(mutations, {
    accountId,
    kind,
    recordId: data.id,
    recordKey,
    before,
    isVersionReferenced: reads.isVersionReferenced,
    after: { head, content: kept ?? created },
    arrival: context.nextArrival(),
    now,
  });
  return isOutdated;
}

/** Adds the row of an event with an id: the data as it is published, which its deliveries send whatever the record becomes. */
function addEvent(
  { checks, mutations }: CommitDraft,
  context: Pick<ServiceContext, "nextArrival">,
  accountId: string,
  { publication, reads, deliveries, now }: Change,
  { kind, id, key, text }: StoredRow,
): void {
  const { data } = keepCreatedAt(
    isOwnKind(publication) ? undefined : reads.before?.head.created_at,
    publication,
  );
  checks.push({ key, value: text });
  addRecordMutations(mutations, {
    accountId,
    kind,
    recordId: id,
    recordKey: key,
    before: undefined,
    isVersionReferenced: false,
    after: {
      head: {
        ...notSearched,
        project_id: publication.projectId,
        // The newest of many events of a record is the first sample.
        created_at: now,
        arrival: publication.arrival,
        events: [publication.event],
        published: [now],
        as_of: now,
        deliveries: deliveries.map((delivery) => delivery.id),
        email: searchedFields(publication).email,
        resends: 0,
        about: { kind: publication.kind, id: data.id },
      },
      content: { json: joinFields(JSON.stringify(data), publication.ownFields) },
    },
    arrival: context.nextArrival(),
    now,
  });
}

/** Changes of the person that the record is about: a contact, or the address of a subscriber. */
function personChanges(
  { newId }: Pick<ServiceContext, "newId">,
  accountId: string,
  publication: Publication,
  { person, before, addressLeft }: PublicationReads,
  now: number,
): readonly AddressChange[] {
  const { projectId, data } = publication;
  const left = addressLeft === undefined ? [] : [addressLeft];
  if (person === undefined) return left;
  if (person.customer !== undefined) {
    const change = contactOfRecord({ newId, now }, accountId, projectId, person.customer, person);
    return change === undefined ? [] : [change];
  }
  const { email } = person;
  // The record has this address already.
  if (before?.head.email === email) return left;
  return [joinAddress({ accountId, projectId, email }, person.entryText, data.id), ...left];
}

function rowLengthOf(mutation: Mutation | undefined): number {
  return mutation?.type === "set" ? mutation.value.length : 0;
}

interface HeadParts {
  readonly publication: Publication;
  readonly before: RecordHead | undefined;
  /** The stored head, if the publication is outdated. */
  readonly kept: RecordHead | undefined;
  readonly snapshot: RecordSnapshot;
  readonly deliveries: readonly DeliveryRow[];
  readonly createdAt: number;
  readonly ownFields: OwnFields | undefined;
}

function toHead(parts: HeadParts): RecordHead {
  const { publication, before, kept, snapshot, deliveries, createdAt, ownFields } = parts;
  const created = deliveries.map(({ id }) => id);
  const { status, email, number } = kept ?? searchedFields(publication);
  return {
    project_id: publication.projectId,
    created_at: kept?.created_at ?? createdAt,
    arrival: before?.arrival ?? publication.arrival,
    events: snapshot.events,
    published: snapshot.published,
    as_of: snapshot.as_of,
    deliveries: before === undefined ? created : [...before.deliveries, ...created],
    status,
    email,
    number,
    resends: before?.resends ?? 0,
    list_ids: before?.list_ids ?? publication.listIds,
    own_fields: ownFields,
  };
}

/** All events of a record together. */
const maximumOwnCharacters = 2 ** 18;

/**
 * The own fields of all events of a record, with those of the published one.
 *
 * @throws HookwrightError `validation_failed` if they are too long
 */
function joinOwnFields(
  before: RecordHead | undefined,
  { event, ownFields }: Publication,
  isOutdated: boolean,
): OwnFields | undefined {
  const known = before?.own_fields;
  if (isOutdated || (ownFields === undefined && known === undefined)) return known;
  const { [event]: _, ...others } = known ?? {};
  const joined = ownFields === undefined ? others : { ...others, [event]: ownFields };
  const characters = Object.values(joined).reduce((sum, { length }) => sum + length, 0);
  if (characters > maximumOwnCharacters)
    throw validationFailed([
      "data: the fields that the events of this record add to it are too long together",
    ]);
  return Object.keys(joined).length === 0 ? undefined : joined;
}

const notSearched = { status: "", email: "", number: "" } as const;

/** Orders are filtered by these fields. Other records are found by the address of their person. */
function searchedFields(publication: Publication): Pick<RecordHead, "status" | "email" | "number"> {
  if (isOfKind(publication, "orders")) {
    const { data } = publication;
    return {
      status: toIndexText(data.status),
      email: toIndexText(normaliseEmail(data.customer.email)),
      number: toIndexText(data.number),
    };
  }
  if (isOfKind(publication, "subscribers"))
    return isEmailAddress(publication.data.email)
      ? { ...notSearched, email: publication.data.email }
      : notSearched;
  const email = emailOf(publication.data);
  return isEmailAddress(email) ? { ...notSearched, email: toIndexText(email) } : notSearched;
}

/** The address of the customer. An own kind may have any fields. */
function emailOf(data: RecordData): string {
  const customer = "customer" in data ? data.customer : undefined;
  if (typeof customer !== "object" || customer === null || !("email" in customer)) return "";
  return typeof customer.email === "string" ? normaliseEmail(customer.email) : "";
}
