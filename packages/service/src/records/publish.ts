import { createDelivery, toOutboxMutations } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import {
  bodyId,
  customerOf,
  eventCatalogue,
  HookwrightError,
  isEventName,
  isHookwrightError,
  normaliseEmail,
  parseTimestamp,
  renderRecord,
  validationFailed,
} from "@hookwright/domain";
import type { EventData, EventName, RecordCustomer, RecordKind } from "@hookwright/domain";
import type { Check, Commit, Key, Mutation } from "@hookwright/storage";
import { mayDeliver, parseAccountRow } from "../accounts/account-row.ts";
import { accountOfProject } from "../accounts/projects.ts";
import type { ServiceContext } from "../context.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { keys } from "../store/keys.ts";
import type { PublishInput, PublishResult, Service } from "../use-cases.ts";
import { contactOfRecord } from "./contact-of-record.ts";
import { isVersionNamed } from "./is-version-named.ts";
import { toRecordMutations } from "./record-change.ts";
import { parseRecordRow } from "./record-row.ts";
import type { RecordHead } from "./record-row.ts";

/** What was read of an event before anything is looked up. */
export interface Publication {
  readonly event: EventName;
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly data: EventData[EventName];
  readonly json: string;
  /** Taken before anything is read, so that events of one call arrive in the order given, however long the store takes. */
  readonly arrival: number;
  /** The e-mail lists a new subscriber joins. */
  readonly listIds?: readonly string[];
}

export interface PreparedPublication {
  readonly commit: Commit;
  readonly result: { readonly deliveries: readonly DeliveryRow[]; readonly duplicate: boolean };
}

/** Items that one call of the host API may bring (contract §7). */
export const maximumBatch = 1_000;

/**
 * Publishes events: the record, what it adds to contacts, and one delivery for each webhook that listens, in one atomic
 * commit. Once that is acknowledged nothing is lost; before it nothing is sent.
 */
export function createPublish(context: ServiceContext): Pick<Service, "publish" | "publishMany"> {
  async function publish(input: PublishInput): Promise<PublishResult> {
    return publishParsed(context, { ...parsePublication(input), arrival: context.nextArrival() });
  }

  async function publishOne(input: unknown): Promise<PublishResult | PublishRefusal> {
    try {
      return await publish(expectPublishInput(input));
    } catch (error) {
      if (!isHookwrightError(error) || error.status >= 500) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  return {
    publish,
    async publishMany(inputs) {
      if (inputs.length > maximumBatch)
        throw validationFailed([`body: must have at most ${maximumBatch} entries`]);
      // Items of one record happen in the order given; all others share the store's commits.
      const chains = new Map<string, Promise<unknown>>();
      return Promise.all(
        inputs.map((input) => {
          const record = recordNameOf(input);
          const earlier = chains.get(record) ?? Promise.resolve();
          const result = earlier.then(
            () => publishOne(input),
            () => publishOne(input),
          );
          chains.set(record, result);
          return result;
        }),
      );
    },
  };
}

interface PublishRefusal {
  readonly error: { readonly code: string; readonly message: string };
}

function expectPublishInput(input: unknown): PublishInput {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw validationFailed(["body: must be an object"]);
  const { event, project_id: projectId, data }: Partial<Record<keyof PublishInput, unknown>> = input;
  const problems: string[] = [];
  if (typeof event !== "string" || event.trim() === "") problems.push(problemOf("event", event));
  if (typeof projectId !== "string" || projectId.trim() === "")
    problems.push(problemOf("project_id", projectId));
  if (typeof event !== "string" || typeof projectId !== "string" || problems.length > 0)
    throw validationFailed(problems);
  return { event, project_id: projectId, data };
}

function problemOf(field: string, value: unknown): string {
  const empty = value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  return `${field}: ${empty ? "is required" : "must be text"}`;
}

function parsePublication(input: PublishInput): Omit<Publication, "arrival"> {
  const { event, project_id: projectId, data } = expectPublishInput(input);
  if (!isEventName(event))
    throw new HookwrightError("unknown_event", "event: is not a known event; GET /v1/event-types lists them");
  if (data === undefined || data === null) throw validationFailed(["data: is required"]);
  const record = renderRecord(event, data);
  return { event, kind: eventCatalogue[event].kind, projectId, data: record, json: JSON.stringify(record) };
}

/** Publishes what has been read already. */
async function publishParsed(context: ServiceContext, publication: Publication): Promise<PublishResult> {
  const { store, directory, scheduler } = context;
  const { event, data, projectId } = publication;
  const accountId = await accountOfProject(directory, projectId);
  const key = keys.record(accountId, publication.kind, data.id);
  const { deliveries, duplicate } = await commitUntilDone(store, key[0], () =>
    preparePublication(context, accountId, publication),
  );
  if (deliveries.length > 0) scheduler.offer(accountId, deliveries);
  return { id: bodyId(event, data.id), deliveries: deliveries.map(({ id }) => id), duplicate };
}

/** The one commit that publishes: reads what it depends on and checks that it still holds. */
export async function preparePublication(
  context: ServiceContext,
  accountId: string,
  publication: Publication,
): Promise<PreparedPublication> {
  const { store, newId } = context;
  const { event, kind, projectId, data, json } = publication;
  const now = context.now();
  const recordKey = keys.record(accountId, kind, data.id);
  const customer = customerOf(event, data);
  const person = personKey(accountId, publication, customer);
  // Asked for beside the rest: a remote store then answers both in the time of one.
  const listening = context.readListeningWebhooks(accountId, event);
  // Awaited below, or not at all where there is nothing to deliver.
  listening.catch(() => {});
  const [recordText, accountText, personId] = await store.getMany([
    recordKey,
    keys.account(accountId),
    ...(person === undefined ? [] : [person]),
  ]);
  if (accountText === undefined) throw new HookwrightError("validation_failed", "project_id: no such site");
  const before = recordText === undefined ? undefined : parseRecordRow(recordText);
  if (before !== undefined && before.head.project_id !== projectId) {
    throw validationFailed([`data.id: ${data.id} is a record of another site of this account`]);
  }
  const duplicate = before?.head.events.includes(event) ?? false;
  const deliveries: DeliveryRow[] = [];
  if (!duplicate && mayDeliver(parseAccountRow(accountText))) {
    for (const webhook of await listening) {
      if (webhook.status !== "active" || (webhook.project_id ?? projectId) !== projectId) continue;
      deliveries.push(
        createDelivery({
          id: newId("dlv"),
          accountId,
          webhook,
          event,
          recordId: data.id,
          projectId,
          kind: "event",
          now,
        }),
      );
    }
  }
  const head = toHead(publication, before?.head, deliveries);
  const contact =
    customer === undefined
      ? undefined
      : await contactOfRecord(context, { accountId, projectId, customer, known: personId, now });
  const checks: Check[] = [{ key: recordKey, value: recordText }, ...(contact?.checks ?? [])];
  const mutations: Mutation[] = await toRecordMutations({
    accountId,
    kind,
    recordId: data.id,
    before,
    isNamed: (row) => isVersionNamed(store, accountId, data.id, row),
    after: { head, json },
    arrival: context.nextArrival(),
    now,
  });
  if (kind === "subscribers" && person !== undefined) {
    checks.push({ key: person, value: personId });
    // Somebody known already keeps the row, with its lists, that the address leads to.
    if (personId === undefined) mutations.push({ type: "set", key: person, value: data.id });
  }
  if (contact !== undefined) mutations.push(...contact.mutations);
  for (const delivery of deliveries) mutations.push(...toOutboxMutations(accountId, delivery));
  const wake = deliveries.length > 0 && !context.scheduler.takes(accountId);
  return { commit: { checks, mutations, wake }, result: { deliveries, duplicate } };
}

/** Where the person behind a record is found by address: a contact, or a subscriber (contract §3). */
function personKey(
  accountId: string,
  { kind, data, projectId }: Publication,
  customer: RecordCustomer | undefined,
): Key | undefined {
  if (customer !== undefined) return keys.contactOfEmail(accountId, customer.email, projectId);
  if (kind !== "subscribers" || !("email" in data)) return undefined;
  return keys.subscriberOfEmail(accountId, projectId, normaliseEmail(data.email));
}

function toHead(
  publication: Publication,
  before: RecordHead | undefined,
  deliveries: readonly DeliveryRow[],
): RecordHead {
  const { event, projectId, data, arrival } = publication;
  const earlier = before?.events ?? [];
  const made = deliveries.map(({ id }) => id);
  const listIds = before?.list_ids ?? publication.listIds;
  const { status, email, number } = searchedFields(publication);
  return {
    project_id: projectId,
    created_at: parseTimestamp(data.created_at),
    arrival: before?.arrival ?? arrival,
    events: earlier.includes(event) ? earlier : [...earlier, event],
    deliveries: before === undefined ? made : [...before.deliveries, ...made],
    status,
    email,
    number,
    resends: before?.resends ?? 0,
    ...(listIds === undefined ? {} : { list_ids: listIds }),
  };
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

/** Which record an unread item speaks of, as far as that can be seen. */
function recordNameOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("data" in input)) return "";
  const { data } = input;
  if (typeof data !== "object" || data === null || !("id" in data)) return "";
  return String(data.id);
}
