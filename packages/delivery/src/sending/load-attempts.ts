import type { AccountDelivery, BodyForm } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { AttemptInput, ExtraHeaders, Sign } from "./attempt.ts";
import { DeliveryError } from "../delivery-error.ts";
import { applyWebhook, restoreLimits } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Queued } from "./endpoint-queue.ts";
import { parseDeliveryRow } from "../storage/delivery-codec.ts";
import { parseSigningSecrets, parseWebhookRow } from "../storage/webhook-row.ts";
import type { CancelReason, DeliveryRow } from "../storage/delivery-row.ts";
import type { SigningSecretsRow } from "../storage/webhook-row.ts";
import { keys } from "../storage/keys.ts";
import type { Clock } from "../clock.ts";

interface Cancelled {
  readonly ok: false;
  readonly reason: CancelReason;
}

/** The body to send now, or why there is none any more. */
export type Message =
  | ({
      readonly ok: true;
      /** The account's own rules. @default those of the worker */
      readonly rules?: AccountDelivery | undefined;
      /** The body in the form of the webhook, if it has one of its own. @default it has only one form */
      readonly inForm?: ((form: BodyForm) => Pick<AttemptInput, "body" | "source">) | undefined;
    } & Pick<AttemptInput, "body" | "source" | "keptBodies">)
  | Cancelled;

/** Reads the records of deliveries of one account, in order. Every attempt reads them again (contract: Deliveries). */
export type ReadMessages = (accountId: string, deliveries: readonly DeliveryRow[]) => Promise<Message[]>;

/**
 * Decrypts the secrets of a webhook for signing. The same row gives the same object, so a signer may be cached by it.
 *
 * @throws DeliveryError `secret_unreadable`
 */
export type OpenSigner = (secrets: SigningSecretsRow) => Sign;

/**
 * Opens the extra headers of a webhook. The same row gives the same object.
 *
 * @throws DeliveryError `secret_unreadable`
 */
export type OpenExtraHeaders = (secrets: SigningSecretsRow) => ExtraHeaders | undefined;

export interface LoadedAttempt {
  readonly delivery: DeliveryRow;
  readonly send:
    | { readonly ok: true; readonly input: AttemptInput; readonly rules: AccountDelivery | undefined }
    | Cancelled;
}

export interface LoadAttemptsOptions {
  readonly store: Store;
  readonly readMessages: ReadMessages;
  readonly openSigner: OpenSigner;
  /** @default deliveries have only the headers of the specification */
  readonly openExtraHeaders?: OpenExtraHeaders | undefined;
  readonly clock: Clock;
}

/** Reads what several attempts of one endpoint need, in their order: webhook, secret and counters once, and the records together. */
export function createLoadAttempts(options: LoadAttemptsOptions) {
  const { store, readMessages, openSigner, openExtraHeaders, clock } = options;
  return async (endpoint: Endpoint, batch: readonly Queued[]): Promise<LoadedAttempt[]> => {
    const { address } = endpoint;
    const { accountId, webhookId } = address;
    const retries: Queued[] = [];
    const newDeliveries: DeliveryRow[] = [];
    for (const queued of batch)
      if (queued.type === "new") newDeliveries.push(queued.delivery);
      else retries.push(queued);
    // New deliveries are in memory already, so their records are read in the same round trip.
    const early = retries.length === 0 ? readMessages(accountId, newDeliveries) : undefined;
    early?.catch(() => {});
    const [webhookText, secretText, healthText, ...retryTexts] = await store.getMany([
      keys.webhook(address),
      keys.signingSecret(address),
      keys.webhookHealth(address),
      ...retries.map(({ id }) => keys.delivery(accountId, id)),
    ]);
    endpoint.texts ??= { webhook: webhookText, health: healthText };
    if (!endpoint.areLimitsRestored) restoreLimits(endpoint, healthText, clock.now());
    const retryText = retryTexts.values();
    const deliveries = batch.map((queued) =>
      queued.type === "new" ? queued.delivery : parseRetry(retryText.next().value, queued.id),
    );
    const cancelAll = (reason: CancelReason): LoadedAttempt[] =>
      deliveries.map((delivery) => ({ delivery, send: { ok: false, reason } }));
    if (webhookText === undefined) return cancelAll("webhook_removed");
    const webhook = parseWebhookRow(webhookText);
    const { status, target_url: targetUrl, body_form: bodyForm } = webhook;
    // Who switched it off makes no difference to a delivery.
    if (status !== "active") return cancelAll(status === "paused" ? "paused" : "switched_off");
    applyWebhook(endpoint, webhook, clock.now());
    const messages = await (early ?? readMessages(accountId, deliveries));
    let sign: Sign | undefined;
    let extraHeaders: ExtraHeaders | undefined;
    return deliveries.map((delivery, index) => {
      const message = messages[index];
      if (message === undefined) throw new Error(`no message was read for delivery ${delivery.id}`);
      if (!message.ok) return { delivery, send: message };
      if (sign === undefined) {
        const secrets = parseSecrets(secretText, webhookId);
        sign = openSigner(secrets);
        extraHeaders = openExtraHeaders?.(secrets);
      }
      const { keptBodies, rules } = message;
      const { body, source } = (bodyForm && message.inForm?.(bodyForm)) ?? message;
      const input = { accountId, delivery, targetUrl, body, source, keptBodies, sign, extraHeaders };
      return { delivery, send: { ok: true, input, rules } };
    });
  };
}

function parseSecrets(text: string | undefined, webhookId: string): SigningSecretsRow {
  if (text === undefined)
    throw new DeliveryError("secret_missing", `webhook ${webhookId} has no signing secret`);
  return parseSigningSecrets(text);
}

function parseRetry(text: string | undefined, id: string): DeliveryRow {
  try {
    const delivery = text === undefined ? undefined : parseDeliveryRow(text);
    if (delivery?.status === "pending") return delivery;
    if (delivery !== undefined) throw new Error(`it is ${delivery.status}`);
  } catch (cause) {
    throw new DeliveryError("delivery_unreadable", `delivery ${id} is to be retried but cannot be read`, {
      cause,
    });
  }
  throw new DeliveryError("delivery_unreadable", `delivery ${id} is to be retried but has no row`);
}
