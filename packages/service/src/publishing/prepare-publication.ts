import { createDelivery, toOutboxMutations, toWakeKeys } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { HookwrightError, keepCreatedAt, normaliseEmail, validationFailed } from "@hookwright/domain";
import type { EventName } from "@hookwright/domain";
import type { Check, Key, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { addRecordMutations } from "../records/record-change.ts";
import { joinAddress } from "../records/subscriber-addresses.ts";
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
  const { accountText, before, person, recordKey, recordText } = reads;
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
  checks.push({ key: recordKey, value: recordText });
  const begun = mutations.length;
  addRecordMutations(mutations, {
    accountId,
    kind,
    recordId: data.id,
    recordKey,
    before,
    isReplacedNamed: reads.isReplacedNamed,
    after: { head: toHead(publication, before?.head, deliveries), data },
    arrival: context.nextArrival(),
    now,
  });
  const size = rowLengthOf(mutations[begun]);
  for (const delivery of deliveries) mutations.push(...toOutboxMutations(accountId, delivery));
  const ofRecord = mutations.length;
  if (person?.customer !== undefined) {
    const { newId } = context;
    const contact = contactOfRecord({ newId, now }, accountId, projectId, person.customer, person);
    checks.push(...contact.checks);
    mutations.push(...contact.mutations);
  } else if (person !== undefined) {
    const email = searchedFields(publication).email;
    // What has the address already has its place; whom the address leads to keeps the row, with its lists.
    const joined =
      before?.head.email === email
        ? undefined
        : joinAddress({ accountId, projectId, email }, person.entryText, data.id);
    for (const change of [joined, reads.addressLeft]) {
      checks.push(...(change?.checks ?? []));
      mutations.push(...(change?.mutations ?? []));
    }
  }
  if (deliveries.length > 0 && !context.scheduler.takes(accountId))
    (draft.wake ||= []).push(...toWakeKeys(accountId, deliveries));
  return { published: { deliveries, duplicate }, changesPerson: mutations.length > ofRecord, size };
}

function rowLengthOf(mutation: Mutation | undefined): number {
  return mutation?.type === "set" ? mutation.value.length : 0;
}

function toHead(
  publication: Publication,
  before: RecordHead | undefined,
  deliveries: readonly DeliveryRow[],
): RecordHead {
  const { event, projectId, createdAt, arrival } = publication;
  const made = deliveries.map(({ id }) => id);
  const { status, email, number } = searchedFields(publication);
  return {
    project_id: projectId,
    created_at: keepCreatedAt(before?.created_at, createdAt),
    arrival: before?.arrival ?? arrival,
    events: before === undefined ? [event] : withEvent(before.events, event),
    deliveries: before === undefined ? made : [...before.deliveries, ...made],
    status,
    email,
    number,
    resends: before?.resends ?? 0,
    list_ids: before?.list_ids ?? publication.listIds,
  };
}

function withEvent(events: readonly EventName[], event: EventName): readonly EventName[] {
  return events.includes(event) ? events : [...events, event];
}

const notSearched = { status: "", email: "", number: "" } as const;

/** Orders are filtered by these (specification §4); subscribers are known by their address. */
function searchedFields({ kind, data }: Publication): Pick<RecordHead, "status" | "email" | "number"> {
  if (kind === "orders" && "number" in data) {
    return { status: data.status, email: normaliseEmail(data.customer.email), number: data.number };
  }
  if (kind === "subscribers" && "email" in data) return { ...notSearched, email: normaliseEmail(data.email) };
  return notSearched;
}
