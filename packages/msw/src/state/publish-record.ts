import {
  customerOf,
  isOfKind,
  keepCreatedAt,
  mergeContact,
  normaliseEmail,
  takeSnapshot,
  toTimestamp,
  validationFailed,
} from "@hookwright/domain";
import type { DeliveryBody, EventName, RecordCustomer } from "@hookwright/domain";
import { expectData } from "../events/mock-events.ts";
import { expectProject } from "./expect-project.ts";
import { findContact, findSubscriber } from "./find-person.ts";
import { maySend } from "./may-send.ts";
import { toBodyOfRow } from "./to-body.ts";
import type { AnyBody } from "./to-body.ts";
import { recordKey, toRow } from "./world.ts";
import type { RecordRow, World } from "./world.ts";

export interface Publication<Name extends string> {
  readonly event: Name;
  readonly projectId: string;
  readonly data: object;
  /** The e-mail lists of a new subscriber. @default none */
  readonly listIds?: readonly string[];
}

/**
 * Publishes a record: stores it, updates contacts, and makes a delivery due for each matching webhook, the
 * first time under this event.
 *
 * @throws HookwrightError `validation_failed`, `unknown_event`
 */
export function publishRecord<Name extends EventName>(
  world: World,
  publication: Publication<Name>,
): DeliveryBody<Name>;
export function publishRecord(world: World, publication: Publication<string>): AnyBody;
export function publishRecord(
  world: World,
  { event, projectId, data: sent, listIds = [] }: Publication<string>,
): object {
  const known = world.events.expect(event);
  const project = expectProject(world, projectId);
  const read = expectData(known, sent, { now: world.now(), timeZone: project.timezone });
  const { kind } = known;
  const { id } = read.data;
  const key = recordKey(kind, id);
  const before = world.records.get(key);
  if (before !== undefined && before.projectId !== projectId)
    throw validationFailed([`data.id: ${id} is a record of another site of this account`]);
  const duplicate = before?.snapshot.events.includes(event) ?? false;
  const { snapshot, isOutdated } = takeSnapshot(before?.snapshot, {
    event,
    asOf: undefined,
    now: world.now(),
  });
  const kept = isOutdated ? before : undefined;
  const { data, createdAt } = keepCreatedAt(before?.createdAt, read);
  const { [event]: stored, ...others } = before?.ownFields ?? {};
  const own = isOutdated && duplicate ? stored : read.ownFields;
  const ownFields = own === undefined ? others : { ...others, [event]: own };
  const row: RecordRow =
    kept === undefined
      ? {
          id,
          createdAt,
          arrival: before?.arrival ?? world.nextArrival(),
          value: data,
          sent,
          kind,
          projectId,
          snapshot,
          listIds: before?.listIds ?? listIds,
          ownFields,
        }
      : { ...kept, snapshot, ownFields };
  // A subscriber with a changed address comes after the others with that address, see `findSubscriber`.
  if (before !== undefined && addressOf(before) !== addressOf(row)) releaseAddress(world, before);
  world.records.set(key, row);
  if (!duplicate) queueDeliveries(world, event, row);
  const customer = isOutdated ? undefined : customerOf(kind, data);
  if (customer !== undefined) addToContacts(world, projectId, customer);
  // A delivery contains the stored state if that is newer.
  return structuredClone(toBodyOfRow(event, project, row));
}

/** Returns the address of a subscriber. Other records have none. */
function addressOf({ kind, value: data }: RecordRow): string | undefined {
  const record = { kind, data };
  return isOfKind(record, "subscribers") ? normaliseEmail(record.data.email) : undefined;
}

/** If the address identified this record, the first other record by id takes its place, as in the service. */
function releaseAddress(world: World, left: RecordRow): void {
  const { kind, projectId, id } = left;
  const email = addressOf(left);
  const wasFirst = email !== undefined && findSubscriber(world, projectId, email) === left;
  world.records.delete(recordKey(kind, id));
  if (!wasFirst) return;
  const others = [...world.records.values()]
    .filter((row) => row.kind === kind && row.projectId === projectId && addressOf(row) === email)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const other of others) {
    world.records.delete(recordKey(kind, other.id));
    world.records.set(recordKey(kind, other.id), other);
  }
}

function queueDeliveries(world: World, event: string, { id, projectId }: RecordRow): void {
  if (!maySend(world)) return;
  const listeners = [...world.webhooks.values()].filter(
    ({ value }) =>
      value.event === event &&
      value.status === "active" &&
      (value.project_id === null || value.project_id === projectId),
  );
  const fresh = listeners.map((webhook) => ({
    deliveryId: world.newId("dlv"),
    webhookId: webhook.id,
    event,
    recordId: id,
  }));
  world.due = [...world.due, ...fresh];
}

function addToContacts(world: World, projectId: string, customer: RecordCustomer): void {
  const existing = findContact(world, projectId, customer.email);
  const at = toTimestamp(world.now());
  const merged = mergeContact(existing?.value, customer, "record");
  if (existing === undefined) {
    const { email } = customer;
    const base = { id: world.newId("ct"), project_id: projectId, email };
    const contact = { ...base, ...merged, tags: [...merged.tags], created_at: at, updated_at: at };
    world.contacts.set(contact.id, toRow(world, contact));
  } else if (merged !== existing.value) {
    const value = { ...existing.value, ...merged, tags: [...merged.tags], updated_at: at };
    world.contacts.set(existing.id, { ...existing, value });
  }
}
