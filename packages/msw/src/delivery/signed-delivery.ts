import { HookwrightError, toDeliveredData, unknownEventProblem, validationFailed } from "@hookwright/domain";
import type {
  DeliveryBody,
  DeliveryProject,
  EventData,
  EventName,
  OwnDeliveryBody,
  OwnEventInput,
  OwnEvents,
} from "@hookwright/domain";
import { renderBody } from "@hookwright/service";
import { createSigner } from "@hookwright/signature/node";
import { expectHeaderPrefix } from "../expect-header-prefix.ts";
import { createMockEvents } from "../mock-events.ts";
import { parseUrl } from "../parse-url.ts";
import type { DeliveryFault } from "./delivery-faults.ts";
import { toSignedDelivery } from "./to-signed-delivery.ts";
import type { SignedDelivery } from "./to-signed-delivery.ts";

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
  /** The prefix of the header names, if the server has its own. @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** The form of the body. @default "hookwright" */
  readonly bodyForm?: "hookwright" | "standard" | undefined;
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
 * @throws MockError `invalid_url`, `invalid_events`, `invalid_header_prefix`
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
  secret,
  data,
  project,
  url = "https://receiver.example/webhooks",
  deliveryId = `dlv_${crypto.randomUUID().replaceAll("-", "")}`,
  test = false,
  headerPrefix,
  bodyForm,
  fault,
  now = Date.now,
}: AnySignedDeliveryOptions & {
  readonly event: string;
  readonly events?: OwnEvents | undefined;
  readonly data?: object | undefined;
}): Promise<object> {
  const { find, names } = createMockEvents(events);
  const known = find(event);
  if (known === undefined)
    throw new HookwrightError("unknown_event", `event: ${unknownEventProblem(event, names)}`);
  parseUrl(url, "url");
  expectHeaderPrefix(headerPrefix);
  const startedAt = now();
  const reading = known.read({ ...known.sample, ...data }, { now: startedAt });
  if (!reading.ok) throw validationFailed(reading.problems);
  const record = toDeliveredData(reading.record);
  const parts = {
    event,
    recordId: record.id,
    project: { ...known.type.sample.project, ...project },
    json: JSON.stringify(record),
  };
  const envelope = renderBody(parts);
  return toSignedDelivery({
    delivery: { id: deliveryId, event, record_id: record.id, kind: test ? "test" : "event" },
    body: bodyForm === "standard" ? renderBody({ ...parts, publishedAt: startedAt }) : envelope,
    envelope,
    sign: createSigner(fault === "wrong_secret" ? `${secret}, but another` : secret),
    extraHeaders: headerPrefix === undefined ? undefined : { headerPrefix },
    url,
    fault,
    startedAt,
  });
}
