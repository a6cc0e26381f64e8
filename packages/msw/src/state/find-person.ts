import { eventCatalogue, isOfKind, normaliseEmail, parseInput } from "@hookwright/domain";
import type { Contact, SubscriberRecord } from "@hookwright/domain";
import type { Row } from "../lists/row.ts";
import type { RecordRow, World } from "./world.ts";

/** Returns the contact of a site with this normalised address. */
export function findContact(world: World, projectId: string, email: string): Row<Contact> | undefined {
  return [...world.contacts.values()].find(
    ({ value }) => value.project_id === projectId && value.email === email,
  );
}

/**
 * Returns the subscriber of a site with this normalised address. If there are several, returns the first one,
 * see `publishRecord`.
 */
export function findSubscriber(world: World, projectId: string, email: string): RecordRow | undefined {
  return [...world.records.values()].find(({ kind, projectId: site, value: data }) => {
    const record = { kind, data };
    return (
      isOfKind(record, "subscribers") && site === projectId && normaliseEmail(record.data.email) === email
    );
  });
}

/** Returns the data of a subscriber's row with its type. */
export function readSubscriber({ value }: RecordRow): SubscriberRecord {
  return parseInput(eventCatalogue["subscriber.created"].dataSchema, value);
}
