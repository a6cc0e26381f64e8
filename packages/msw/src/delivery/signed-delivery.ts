import { eventCatalogue, expectRecord, sampleDeliveryBody } from "@hookwright/domain";
import type { DeliveryBody, DeliveryProject, EventData, EventName } from "@hookwright/domain";
import { parseUrl } from "../parse-url.ts";
import { expectEvent } from "../state/expect-event.ts";
import { toBody } from "../state/publish-record.ts";
import type { DeliveryFault } from "./delivery-faults.ts";
import { signBody } from "./sign-body.ts";
import type { SignedDelivery } from "./sign-body.ts";

export interface SignedDeliveryOptions<Name extends EventName> {
  readonly event: Name;
  /** The signing secret, the whole `whsec_…` string. */
  readonly secret: string;
  /** Fields that replace those of the event's sample. @default none */
  readonly data?: Partial<EventData[Name]> | undefined;
  /** @default the site of the samples: `site_1`, "Main street shop" in Europe/London */
  readonly project?: Partial<DeliveryProject> | undefined;
  /** @default "https://receiver.example/webhooks" */
  readonly url?: string | undefined;
  /** Retries of a delivery have the same id, a resend has another one. @default a new `dlv_…` id */
  readonly deliveryId?: string | undefined;
  /** Marks a test sent from the console. @default false */
  readonly test?: boolean | undefined;
  /** The fault of the delivery. @default none */
  readonly fault?: DeliveryFault | undefined;
  /** Returns ms since the epoch. Deliveries contain whole seconds. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/**
 * Creates a delivery as Hookwright sends it, with headers and body, for a receiver under test. It sends
 * nothing.
 *
 * @throws HookwrightError `validation_failed` if a record with `data` could not be published
 * @throws HookwrightError `unknown_event`
 * @throws MockError `invalid_url`
 * @throws SignatureError `no_secret`
 * @example
 * const delivery = await signedDelivery({ event: "order.paid", secret, data: { number: "1001" } });
 * const response = await app.fetch(delivery.request());
 */
export async function signedDelivery<Name extends EventName>({
  event,
  data,
  project,
  ...options
}: SignedDeliveryOptions<Name>): Promise<SignedDelivery<DeliveryBody<Name>>> {
  expectEvent(event);
  if (options.url !== undefined) parseUrl(options.url, "url");
  const { now = Date.now } = options;
  const sent = { ...eventCatalogue[event].sampleData, ...data };
  const { data: record } = expectRecord(event, sent, { now: now() });
  const envelope = toBody(event, { ...sampleDeliveryBody(event).project, ...project }, record);
  return signBody(envelope, options);
}
