import type { EventField } from "./describe-fields.ts";
import type { DeliveryBody, OtherDeliveryBody } from "./event-catalogue.ts";

/** An event that a webhook can subscribe to, as `GET /v1/event-types` lists it. */
export interface EventType {
  readonly event: string;
  /** The display name. */
  readonly name: string;
  /** When the event is sent. */
  readonly description: string;
  /** A complete delivery body. It never changes. */
  readonly sample: DeliveryBody | OtherDeliveryBody;
}

/** An event with the fields of its data, for people. */
export interface DescribedEventType extends EventType {
  readonly fields: readonly EventField[];
}
