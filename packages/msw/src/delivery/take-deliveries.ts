import { findWebhook, readSigningSecrets } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import type { DeliveryBody, EventName, NoOwnEvents, OwnDeliveryBody, OwnEvents } from "@hookwright/domain";
import { createReadMessages } from "@hookwright/service";
import type { Instance } from "../instance/instance.ts";
import { toSignedDelivery } from "./to-signed-delivery.ts";
import type { SignedDelivery } from "./to-signed-delivery.ts";

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
export async function takeDeliveries<Own extends OwnEvents>(
  instance: Instance,
): Promise<readonly TakenDelivery<Own>[]> {
  const due = instance.due.splice(0);
  const signed = await Promise.all(due.map((delivery) => signDelivery<Own>(instance, delivery)));
  return signed.filter((delivery) => delivery !== undefined);
}

async function signDelivery<Own extends OwnEvents>(
  { accountId, store, events, bodyForm, signing, now }: Instance,
  delivery: DeliveryRow,
): Promise<TakenDelivery<Own> | undefined> {
  const { webhook_id: webhookId } = delivery;
  const readMessages = createReadMessages({ store, events, bodyForm, onError: console.error });
  const [message] = await readMessages(accountId, [delivery]);
  const webhook = await findWebhook(store, accountId, webhookId);
  const [secrets] = await readSigningSecrets(store, accountId, [webhookId]);
  if (webhook?.row.status !== "active" || secrets === undefined || !message?.ok) return undefined;
  const signed = toSignedDelivery<TakenDelivery<Own>["envelope"]>({
    delivery,
    body: (webhook.row.body_form && message.inForm?.(webhook.row.body_form).body) ?? message.body,
    envelope: message.inForm?.("hookwright").body,
    sign: signing.openSigner(secrets.row),
    extraHeaders: signing.openExtraHeaders(secrets.row),
    url: webhook.row.target_url,
    startedAt: now(),
  });
  return { ...signed, webhookId };
}
