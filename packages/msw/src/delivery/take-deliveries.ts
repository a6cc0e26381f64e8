import type { DeliveryBody, EventName, NoOwnEvents, OwnDeliveryBody, OwnEvents } from "@hookwright/domain";
import { maySend } from "../state/may-send.ts";
import { toBodyOfRow } from "../state/to-body.ts";
import { recordKey } from "../state/world.ts";
import type { DueDelivery, World } from "../state/world.ts";
import { signBody } from "./sign-body.ts";
import type { SignedDelivery } from "./sign-body.ts";

/** The body of an event. For several events it is a union. */
type BodyOf<Name extends EventName> = { readonly [Each in Name]: DeliveryBody<Each> }[Name];

/** Comparing `envelope.event` with a name narrows `envelope.data`. */
export interface TakenDelivery<Own extends OwnEvents = NoOwnEvents> extends SignedDelivery<
  BodyOf<EventName> | OwnDeliveryBody<Own>
> {
  readonly webhookId: string;
}

/**
 * Signs the due deliveries with the secrets of their webhooks and the current records. Like the service,
 * omits deliveries whose webhook was removed or paused, or whose account was suspended.
 */
export function takeDeliveries<Own extends OwnEvents>(world: World): Promise<readonly TakenDelivery<Own>[]>;
export async function takeDeliveries(world: World): Promise<readonly object[]> {
  const due = maySend(world) ? world.due : [];
  world.due = [];
  const signed = await Promise.all(due.map((delivery) => signDelivery(world, delivery)));
  return signed.filter((delivery) => delivery !== undefined);
}

async function signDelivery(
  { events, webhooks, records, projects, now }: World,
  { deliveryId, webhookId, event, recordId }: DueDelivery,
): Promise<object | undefined> {
  const webhook = webhooks.get(webhookId);
  const record = records.get(recordKey(events.expect(event).kind, recordId));
  const project = record === undefined ? undefined : projects.get(record.projectId)?.value;
  if (webhook?.value.status !== "active" || record === undefined || project === undefined) return undefined;
  const { signingSecret: secret, value } = webhook;
  const body = structuredClone(toBodyOfRow(event, project, record));
  const signed = await signBody(body, { secret, url: value.target_url, deliveryId, now });
  return { ...signed, webhookId };
}
