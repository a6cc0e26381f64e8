import type { SignatureError, WebhookEvent } from "@hookwright/signature";
import type { ReceiverAnswer } from "./receiver-answer.ts";

/** A delivery with a valid signature and timestamp. */
export interface ReceivedDelivery {
  /** Comparing `event.event` with a name narrows `event.data`. */
  readonly event: WebhookEvent;
  readonly deliveryId: string | undefined;
  /** The number of times that this delivery has arrived, from 1. */
  readonly attempt: number;
  readonly test: boolean;
  /** Unix seconds when it was signed. */
  readonly timestamp: number | undefined;
  readonly headers: Headers;
  /** The body as text, unchanged. */
  readonly body: string;
  readonly answer: ReceiverAnswer;
}

export interface RefusedDelivery {
  /** Its `code` is the reason. `no_secret` is a mistake of the test: the receiver has no secret yet. */
  readonly error: SignatureError;
  readonly headers: Headers;
  readonly body: string;
}
