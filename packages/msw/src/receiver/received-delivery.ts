import type { SignatureError, WebhookEvent } from "@hookwright/signature";
import type { ReceiverAnswer } from "./receiver-answer.ts";

/** A delivery whose signature and timestamp are right. */
export interface ReceivedDelivery {
  /** Comparing `event.event` with a name narrows `event.data`. */
  readonly event: WebhookEvent;
  readonly deliveryId: string | undefined;
  /** The first is 1: how often this delivery has come. */
  readonly attempt: number;
  readonly test: boolean;
  /** Unix seconds when it was signed. */
  readonly timestamp: number | undefined;
  readonly headers: Headers;
  /** As it came, as UTF-8. */
  readonly body: string;
  readonly answer: ReceiverAnswer;
}

export interface RefusedDelivery {
  /** Its `code` is the reason. `no_secret` is a mistake of the test: the receiver does not have a secret yet. */
  readonly error: SignatureError;
  readonly headers: Headers;
  readonly body: string;
}
