import type {
  DeliveryBody as WireBody,
  EventName,
  EventType as WireType,
  OtherDeliveryBody,
} from "@hookwright/domain";
import type { List } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

/**
 * The body that a webhook delivers. For several events it is a union that `event` narrows. An event that the
 * service has added to those of the specification has untyped `data`.
 */
export type DeliveryBody<Name extends string = EventName> = Name extends EventName
  ? WireBody<Name>
  : Omit<OtherDeliveryBody, "event"> & { readonly event: Name };

export interface EventType extends Omit<WireType, "sample"> {
  readonly sample: DeliveryBody | OtherDeliveryBody;
}

export interface SampleQuery {
  /** Only records of this site. */
  readonly project_id?: string | undefined;
  /** 1 to 10. @default 10 */
  readonly limit?: number | undefined;
}

/** Both lists have only one page, so `toArray()` is one request. */
export interface EventTypes {
  /** Lists the events of webhooks, each with a fixed, complete delivery body. */
  list(options?: CallOptions): List<EventType>;
  /**
   * Lists the account's newest records of an event, exactly as a webhook delivers them.
   *
   * @throws ClientError `unknown_event`
   */
  samples<Name extends EventName | (string & {})>(
    event: Name,
    query?: SampleQuery,
    options?: CallOptions,
  ): List<DeliveryBody<Name>>;
}

export function createEventTypes(send: Send): EventTypes {
  return {
    list: (options) => listOperation(send, operations.listEventTypes, {}, options),
    samples: (event, query, options) =>
      listOperation(
        send,
        operations.listSamples,
        { parameters: { type: event }, query: { ...query } },
        options,
      ),
  };
}
