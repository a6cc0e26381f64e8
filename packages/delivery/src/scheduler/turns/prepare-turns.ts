import type { Store } from "@hookwright/storage";
import type { AttemptInput } from "../../attempt.ts";
import { keys } from "../../rows/keys.ts";
import type { LaneAddress } from "../../rows/keys.ts";
import { parseDeliveryRow } from "../../rows/delivery-row.ts";
import type { BodySource, DeliveryRow } from "../../rows/delivery-row.ts";
import { parseWebhookRow } from "../../rows/webhook-row.ts";
import type { SignerSource } from "../../signer-source.ts";
import type { QueueItem } from "../lanes/lane-queue.ts";
import type { CancelReason, QueuePlace } from "./finished.ts";

/** What is to be sent, as it is now; or why nothing is to be sent any more. */
export type Message =
  | { readonly ok: true; readonly body: string; readonly source?: BodySource }
  | { readonly ok: false; readonly reason: CancelReason };

/** Reads the records behind deliveries of one account, in order. They are read afresh at every attempt (specification §6.3). */
export type ReadMessages = (accountId: string, deliveries: readonly DeliveryRow[]) => Promise<Message[]>;

/** A delivery whose turn it is: what to send, or why it is cancelled instead. */
export interface Turn {
  readonly place: QueuePlace;
  readonly delivery: DeliveryRow;
  readonly send:
    | { readonly ok: true; readonly input: AttemptInput }
    | { readonly ok: false; readonly reason: CancelReason };
}

export interface PrepareTurnsOptions {
  readonly store: Store;
  readonly readMessages: ReadMessages;
  readonly signers: SignerSource;
}

/**
 * Reads what a few turns of one webhook need: the webhook and its secret once for all of them, and their records
 * together, so that a busy webhook does not ask a remote store again for each delivery.
 */
export function createPrepareTurns({ store, readMessages, signers }: PrepareTurnsOptions) {
  return async (lane: LaneAddress, items: readonly QueueItem[]): Promise<Turn[]> => {
    const { accountId, event, webhookId } = lane;
    const fresh = freshDeliveries(items);
    const retries = fresh === undefined ? items.filter(({ type }) => type === "retry") : [];
    // Of what was never tried the deliveries are known: a remote store is asked for both at once.
    const early = fresh && readMessages(accountId, fresh);
    // Awaited below, or not at all where the webhook is gone.
    early?.catch(() => {});
    const [webhookText, secretText, ...retryTexts] = await store.getMany([
      keys.webhook(accountId, event, webhookId),
      keys.signingSecret(accountId, webhookId),
      ...retries.map(({ id }) => keys.delivery(accountId, id)),
    ]);
    const textOf = new Map(retries.map(({ id }, index) => [id, retryTexts[index]]));
    const toDelivery = (item: QueueItem): DeliveryRow =>
      item.type === "fresh" ? item.delivery : parseDeliveryRow(expectText(textOf.get(item.id), item.id));
    const deliveries = fresh ?? items.map(toDelivery);
    const toTurns = (sendOf: (delivery: DeliveryRow, index: number) => Turn["send"]): Turn[] =>
      deliveries.map((delivery, index) => ({
        place: placeOf(items[index]),
        delivery,
        send: sendOf(delivery, index),
      }));
    const cancelled = (reason: CancelReason): Turn[] => toTurns(() => ({ ok: false, reason }));
    if (webhookText === undefined) return cancelled("webhook_removed");
    const { status, target_url: targetUrl } = parseWebhookRow(webhookText);
    if (status !== "active") return cancelled("webhook_not_active");
    const messages = await (early ?? readMessages(accountId, deliveries));
    return toTurns((delivery, index) => {
      const message = messages[index];
      if (message === undefined) throw new Error(`no message was read for delivery ${delivery.id}`);
      if (!message.ok) return message;
      const { sign } = signers.current(secretText, webhookId);
      const { body, source } = message;
      return { ok: true, input: { accountId, delivery, targetUrl, body, source, sign } };
    });
  };
}

/** Undefined where some of them were tried before. */
function freshDeliveries(items: readonly QueueItem[]): DeliveryRow[] | undefined {
  const deliveries: DeliveryRow[] = [];
  for (const item of items) {
    if (item.type !== "fresh") return undefined;
    deliveries.push(item.delivery);
  }
  return deliveries;
}

const freshPlace: QueuePlace = Object.freeze({ type: "fresh" });

function placeOf(item: QueueItem | undefined): QueuePlace {
  return item?.type === "retry" ? { type: "retry", dueAt: item.dueAt } : freshPlace;
}

function expectText(text: string | undefined, id: string): string {
  if (text === undefined) throw new Error(`delivery ${id} is queued but has no row`);
  return text;
}
