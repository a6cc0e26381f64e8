import { toDeliveredData } from "@hookwright/domain";
import type {
  DeliveryBody,
  DeliveryProject,
  EventData,
  EventName,
  OwnDeliveryBody,
  OwnEventInput,
  OwnEvents,
} from "@hookwright/domain";
import { createMockEvents, expectData } from "../events/mock-events.ts";
import { parseUrl } from "../parse-url.ts";
import { toBody } from "../state/to-body.ts";
import type { DeliveryFault } from "./delivery-faults.ts";
import { signBody } from "./sign-body.ts";
import type { SignedDelivery } from "./sign-body.ts";

interface AnySignedDeliveryOptions {
  /** The signing secret, the whole `whsec_…` string. */
  readonly secret: string;
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

export interface SignedDeliveryOptions<Name extends EventName> extends AnySignedDeliveryOptions {
  readonly event: Name;
  /** Fields that replace those of the event's sample. @default none */
  readonly data?: Partial<EventData[Name]> | undefined;
}

/** The options for an event of the host. */
export interface OwnSignedDeliveryOptions<
  Own extends OwnEvents,
  Name extends keyof Own & string,
> extends AnySignedDeliveryOptions {
  /** The option `events` of `createHookwright`. */
  readonly events: Own;
  readonly event: Name;
  /** Fields that replace those of the event's sample. @default none */
  readonly data?: Partial<OwnEventInput<Own[Name]>> | undefined;
}

/**
 * Creates a delivery as Hookwright sends it, with headers and body, for a receiver under test. It sends
 * nothing.
 *
 * @throws HookwrightError `validation_failed` if a record with `data` could not be published
 * @throws HookwrightError `unknown_event`
 * @throws MockError `invalid_url`, `invalid_events`
 * @throws SignatureError `no_secret`
 * @example
 * const delivery = await signedDelivery({ event: "order.paid", secret, data: { number: "1001" } });
 * const response = await app.fetch(delivery.request());
 */
export function signedDelivery<const Own extends OwnEvents, Name extends keyof Own & string>(
  options: OwnSignedDeliveryOptions<Own, Name>,
): Promise<SignedDelivery<OwnDeliveryBody<Own, Name>>>;
export function signedDelivery<Name extends EventName>(
  options: SignedDeliveryOptions<Name>,
): Promise<SignedDelivery<DeliveryBody<Name>>>;
export async function signedDelivery({
  event,
  events,
  data,
  project,
  ...options
}: AnySignedDeliveryOptions & {
  readonly event: string;
  readonly events?: OwnEvents | undefined;
  readonly data?: object | undefined;
}): Promise<object> {
  const known = createMockEvents(events);
  const registered = known.expect(event);
  if (options.url !== undefined) parseUrl(options.url, "url");
  const { now = Date.now } = options;
  const sent = { ...known.sampleOf(event), ...data };
  const record = toDeliveredData(expectData(registered, sent, { now: now() }));
  const envelope = toBody(event, { ...registered.type.sample.project, ...project }, record);
  return signBody(envelope, options);
}
