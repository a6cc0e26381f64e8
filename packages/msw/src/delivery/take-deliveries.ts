import { eventCatalogue } from "@hookwright/domain";
import type { DeliveryBody } from "@hookwright/domain";
import { toBody } from "../state/publish-record.ts";
import { recordKey } from "../state/world.ts";
import type { DueDelivery, World } from "../state/world.ts";
import { signBody } from "./sign-body.ts";
import type { SignedDelivery } from "./sign-body.ts";

export interface TakenDelivery extends SignedDelivery<DeliveryBody> {
  readonly webhookId: string;
}

/**
 * Signs what fell due, each with its webhook's secret, with the record as it is now. What became pointless meanwhile (the webhook
 * was removed or paused) is left out, as the service cancels it.
 */
export async function takeDeliveries(world: World): Promise<readonly TakenDelivery[]> {
  const { due } = world;
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
  const body = toBody(event, project, record.value);
  const signed = await signBody(body, { secret, url: value.target_url, deliveryId, now });
  return { ...signed, webhookId };
}
