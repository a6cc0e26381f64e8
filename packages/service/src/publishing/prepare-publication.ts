import { createDelivery, toOutboxMutations, toWakeKeys } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import {
  HookwrightError,
  isEmailAddress,
  keepCreatedAt,
  normaliseEmail,
  takeSnapshot,
  validationFailed,
} from "@hookwright/domain";
import type { RecordSnapshot } from "@hookwright/domain";
import type { Check, Key, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { addRecordMutations } from "../records/record-change.ts";
import { joinAddress } from "../records/subscriber-addresses.ts";
import type { AddressChange } from "../records/subscriber-addresses.ts";
import { toIndexText } from "../rows/index-text.ts";
import { mayDeliver, parseAccountRow } from "../rows/account-row.ts";
import type { RecordHead } from "../rows/record-row.ts";
import { contactOfRecord } from "./contact-of-record.ts";
import type { Publication } from "./publication.ts";
import type { PublicationReads } from "./read-for-publication.ts";

/** What comes of it, once it is written. */
export interface Published {
  readonly deliveries: readonly DeliveryRow[];
  /** Published already: nothing new is delivered. */
  readonly duplicate: boolean;
}

/** A commit while it is put together. */
export interface CommitDraft {
  readonly checks: Check[];
  readonly mutations: Mutation[];
  /** The queues with deliveries for another process, if there are any. One may stand here more than once. */
  wake: Key[] | false;
  /** When it was begun: what it makes is created then. Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The commit that publishes, which checks that what it was made of still holds.
 *
 * @throws HookwrightError `validation_failed` where the record is one of another site, or there is no such account
 */
export function preparePublication(
  context: ServiceContext,
  accountId: string,
  publication: Publication,
  reads: PublicationReads,
): { readonly commit: CommitDraft; readonly published: Published } {
  const commit: CommitDraft = beginCommit(context.now());
  const { published } = addPublication(commit, context, accountId, publication, reads);
  return { commit, published };
}

export function beginCommit(now: number): CommitDraft {
  return { checks: [], mutations: [], wake: false, now };
}

export interface AddedPublication {
  readonly published: Published;
  /** Whether the commit writes what is known of the person. */
  readonly changesPerson: boolean;
  /** Characters of the record's row. */
  readonly size: number;
}

/**
 * The same in one commit with others. Where it throws, part of it may have been added.
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
  const { accountText, before, recordKey, recordText } = reads;
  const { checks, mutations, now } = draft;
  if (accountText === undefined) throw new HookwrightError("validation_failed", "project_id: no such site");
  if (before !== undefined && before.head.project_id !== projectId) {
    throw validationFailed([`data.id: ${data.id} is a record of another site of this account`]);
  }
  const duplicate = before?.head.events.includes(event) ?? false;
  const deliveries: DeliveryRow[] = [];
  if (!duplicate && mayDeliver(parseAccountRow(accountText))) {
    for (const webhook of reads.webhooks) {
      if (webhook.status !== "active" || (webhook.project_id ?? projectId) !== projectId) continue;
      const id = context.newId("dlv");
      deliveries.push(
        createDelivery({
          id,
          accountId,
          webhook,
          event,
          recordId: data.id,
          recordArrival: before?.head.arrival ?? publication.arrival,
          projectId,
          kind: "event",
          now,
        }),
      );
    }
  }
  const { snapshot, isOutdated } = takeSnapshot(before?.head, { event, asOf: publication.asOf, now });
  // A snapshot that is older than the stored one changes nothing of the record, nor of the person it is about.
  const kept = isOutdated ? before : undefined;
  const created = keepCreatedAt(before?.head.created_at, publication);
  const head = toHead({
    publication,
    before: before?.head,
    kept: kept?.head,
    snapshot,
    deliveries,
    createdAt: created.createdAt,
  });
  checks.push({ key: recordKey, value: recordText });
  const begun = mutations.length;
  addRecordMutations(mutations, {
    accountId,
    kind,
    recordId: data.id,
    recordKey,
    before,
    isReplacedNamed: reads.isReplacedNamed,
    after: { head, content: kept ?? created },
    arrival: context.nextArrival(),
    now,
  });
  const size = rowLengthOf(mutations[begun]);
  for (const delivery of deliveries) mutations.push(...toOutboxMutations(accountId, delivery));
  const ofRecord = mutations.length;
  for (const change of isOutdated ? [] : personChanges(context, accountId, publication, reads, now)) {
    checks.push(...change.checks);
    mutations.push(...change.mutations);
  }
  if (deliveries.length > 0 && !context.scheduler.takes(accountId))
    (draft.wake ||= []).push(...toWakeKeys(accountId, deliveries));
  return { published: { deliveries, duplicate }, changesPerson: mutations.length > ofRecord, size };
}

/** What becomes known of the person that the record is about: a contact, or the address of a subscriber. */
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
  if (person.customer !== undefined)
    return [contactOfRecord({ newId, now }, accountId, projectId, person.customer, person)];
  const { email } = person;
  // A record that has the address already keeps its place.
  if (before?.head.email === email) return left;
  return [joinAddress({ accountId, projectId, email }, person.entryText, data.id), ...left];
}

function rowLengthOf(mutation: Mutation | undefined): number {
  return mutation?.type === "set" ? mutation.value.length : 0;
}

interface HeadParts {
  readonly publication: Publication;
  readonly before: RecordHead | undefined;
  /** What stays, because the publication is outdated. */
  readonly kept: RecordHead | undefined;
  readonly snapshot: RecordSnapshot;
  readonly deliveries: readonly DeliveryRow[];
  readonly createdAt: number;
}

function toHead({ publication, before, kept, snapshot, deliveries, createdAt }: HeadParts): RecordHead {
  const made = deliveries.map(({ id }) => id);
  const { status, email, number } = kept ?? searchedFields(publication);
  return {
    project_id: publication.projectId,
    created_at: kept?.created_at ?? createdAt,
    arrival: before?.arrival ?? publication.arrival,
    events: snapshot.events,
    published: snapshot.published,
    as_of: snapshot.as_of,
    deliveries: before === undefined ? made : [...before.deliveries, ...made],
    status,
    email,
    number,
    resends: before?.resends ?? 0,
    list_ids: before?.list_ids ?? publication.listIds,
  };
}

const notSearched = { status: "", email: "", number: "" } as const;

/** Orders are filtered by these (specification §4); subscribers are known by their address. */
function searchedFields({ kind, data }: Publication): Pick<RecordHead, "status" | "email" | "number"> {
  if (kind === "orders" && "number" in data) {
    return {
      status: toIndexText(data.status),
      email: toIndexText(normaliseEmail(data.customer.email)),
      number: toIndexText(data.number),
    };
  }
  if (kind === "subscribers" && "email" in data && isEmailAddress(data.email))
    return { ...notSearched, email: data.email };
  return notSearched;
}
