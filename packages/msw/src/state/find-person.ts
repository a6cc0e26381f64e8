import { eventCatalogue, normaliseEmail, parseInput } from "@hookwright/domain";
import type { Contact, SubscriberRecord } from "@hookwright/domain";
import type { Row } from "../lists/row.ts";
import type { RecordRow, World } from "./world.ts";

/** The contact of a site with this normalised address. */
export function findContact(world: World, projectId: string, email: string): Row<Contact> | undefined {
  return [...world.contacts.values()].find(
    ({ value }) => value.project_id === projectId && value.email === email,
  );
}

/** The subscriber of a site with this normalised address: of several records, the one that comes first, see `publishRecord`. */
export function findSubscriber(world: World, projectId: string, email: string): RecordRow | undefined {
  return [...world.records.values()].find(
    ({ kind, projectId: site, value }) =>
      kind === "subscribers" &&
      site === projectId &&
      "email" in value &&
      normaliseEmail(value.email) === email,
  );
}

/** The data of a subscriber's row, which is of any kind to the compiler. */
export function readSubscriber({ value }: RecordRow): SubscriberRecord {
  return parseInput(eventCatalogue["subscriber.created"].dataSchema, value);
}
