import type { InputBody, Subscriber, SubscriberInputBody as WireBody } from "@hookwright/domain";
import { readData } from "../http/read-envelope.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";

export type SubscriberInputBody = InputBody<WireBody>;

export interface CreatedSubscriber {
  /** False if the person was known, or if an earlier attempt with a lost response subscribed them. */
  readonly created: boolean;
  readonly subscriber: Subscriber;
}

export interface Subscribers {
  /**
   * Subscribes a person at once, without confirmation. A known person is added to the list, gets the tags and
   * keeps the status: an unsubscribed person stays unsubscribed.
   *
   * @throws ClientError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
   */
  create(body: SubscriberInputBody, options?: CallOptions): Promise<CreatedSubscriber>;
}

export function createSubscribers(send: Send): Subscribers {
  return {
    async create(body, options = {}) {
      const answer = await send(operations.subscribe, { ...options, body });
      return { created: answer.status === 201, subscriber: readData<Subscriber>(answer) };
    },
  };
}
