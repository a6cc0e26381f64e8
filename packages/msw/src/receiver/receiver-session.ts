import { MockError } from "../mock-error.ts";
import { createRecording } from "../recording.ts";
import type { Recording } from "../recording.ts";
import { createArrivals } from "./arrivals.ts";
import type { Arrivals } from "./arrivals.ts";
import type { ReceivedDelivery, RefusedDelivery } from "./received-delivery.ts";
import { createReceiverAnswers } from "./receiver-answer.ts";
import type { ReceiverAnswer, ReceiverAnswers } from "./receiver-answer.ts";

/** The state of a receiver between two resets. */
export interface ReceiverSession {
  trusted: readonly string[];
  readonly answers: ReceiverAnswers;
  readonly deliveries: Recording<ReceivedDelivery>;
  readonly refused: Recording<RefusedDelivery>;
  /** The number of arrivals of each delivery, by its id. */
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
 * Rejects an empty secret, which would make `verify` reject every delivery.
 *
 * @throws MockError `invalid_secret`
 */
export function expectSecret(secret: string): string {
  if (typeof secret === "string" && secret !== "") return secret;
  throw new MockError(
    "invalid_secret",
    "A secret must not be empty. The API returns the secret of a webhook only when it is created.",
  );
}
