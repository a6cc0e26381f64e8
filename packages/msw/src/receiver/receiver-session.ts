import { MockError } from "../mock-error.ts";
import { createRecording } from "../recording.ts";
import type { Recording } from "../recording.ts";
import { createArrivals } from "./arrivals.ts";
import type { Arrivals } from "./arrivals.ts";
import type { ReceivedDelivery, RefusedDelivery } from "./received-delivery.ts";
import { createReceiverAnswers } from "./receiver-answer.ts";
import type { ReceiverAnswer, ReceiverAnswers } from "./receiver-answer.ts";

/** All that a receiver knows between one reset and the next. */
export interface ReceiverSession {
  trusted: readonly string[];
  readonly answers: ReceiverAnswers;
  readonly deliveries: Recording<ReceivedDelivery>;
  readonly refused: Recording<RefusedDelivery>;
  /** How often each delivery has come, by its id. */
  readonly attempts: Map<string | undefined, number>;
  readonly arrivals: Arrivals<ReceivedDelivery | RefusedDelivery>;
}

/** @throws MockError `invalid_secret`, `invalid_answer` */
export function createReceiverSession(
  secrets: readonly string[],
  answers: readonly ReceiverAnswer[],
): ReceiverSession {
  return {
    trusted: secrets.map(expectSecret),
    answers: createReceiverAnswers(answers),
    deliveries: createRecording(),
    refused: createRecording(),
    attempts: new Map(),
    arrivals: createArrivals(),
  };
}

/**
 * An empty secret would have every delivery refused, those of the other secrets too.
 *
 * @throws MockError `invalid_secret`
 */
export function expectSecret(secret: string): string {
  if (typeof secret === "string" && secret !== "") return secret;
  throw new MockError(
    "invalid_secret",
    "A secret must not be empty: a webhook tells its own but once, when it is created.",
  );
}
