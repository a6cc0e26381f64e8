import { eventCatalogue, expectRecord } from "@hookwright/domain";
import type { DeliveryBody, DeliveryProject, EventData, EventName } from "@hookwright/domain";
import { maySend } from "../state/may-send.ts";
import { toBody } from "../state/publish-record.ts";
import { recordKey } from "../state/world.ts";
import type { DueDelivery, World } from "../state/world.ts";
import { signBody } from "./sign-body.ts";
import type { SignedDelivery } from "./sign-body.ts";

/** The body of an event. For several events it is a union. */
type BodyOf<Name extends EventName> = { readonly [Each in Name]: DeliveryBody<Each> }[Name];

/** Comparing `envelope.event` with a name narrows `envelope.data`. */
export interface TakenDelivery extends SignedDelivery<BodyOf<EventName>> {
  readonly webhookId: string;
}

/**
 * Signs the due deliveries with the secrets of their webhooks and the current records. Like the service,
 * omits deliveries whose webhook was removed or paused, or whose account was suspended.
 */
export async function takeDeliveries(world: World): Promise<readonly TakenDelivery[]> {
  const due = maySend(world) ? world.due : [];
  world.due = [];
  const signed = await Promise.all(due.map((delivery) => signDelivery(world, delivery)));
  return signed.filter((delivery) => delivery !== undefined);
}

async function signDelivery(
  { webhooks, records, projects, now }: World,
  { deliveryId, webhookId, event, recordId }: DueDelivery,
): Promise<TakenDelivery | undefined> {
  const webhook = webhooks.get(webhookId);
  const record = records.get(recordKey(eventCatalogue[event].kind, recordId));
  const project = record === undefined ? undefined : projects.get(record.projectId)?.value;
  if (webhook?.value.status !== "active" || record === undefined || project === undefined) return undefined;
  const { signingSecret: secret, value } = webhook;
  const body = toBodyOf(event, project, record.value);
  const signed = await signBody(body, { secret, url: value.target_url, deliveryId, now });
  return { ...signed, webhookId };
}

/** Parses the record again, which gives it the type of the event and makes a copy. */
function toBodyOf<Name extends EventName>(
  event: Name,
  project: DeliveryProject,
  record: EventData[EventName],
): BodyOf<Name> {
  return toBody(event, project, expectRecord(event, record, { now: 0 }).data);
}
