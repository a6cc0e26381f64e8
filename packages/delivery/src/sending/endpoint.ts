import type { EndpointLimits } from "./endpoint-limits.ts";
import type { EndpointQueue } from "./endpoint-queue.ts";
import type { EndpointAddress } from "../storage/keys.ts";

/** The rows of a webhook as this worker knows them. `undefined`: there is no such row. */
export interface WebhookTexts {
  readonly webhook: string | undefined;
  readonly health: string | undefined;
  /** Only those of a failing webhook are read. Absent: not read yet. */
  readonly issues?: { readonly text: string | undefined };
  /** Read with the issues. */
  readonly failed?: { readonly text: string | undefined };
}

/** One webhook whose deliveries this worker makes. */
export interface Endpoint {
  readonly address: EndpointAddress;
  readonly partition: string;
  readonly queue: EndpointQueue;
  readonly limits: EndpointLimits;
  /** The number of its last turn in the round robin. */
  lastTurn: number;
  /** The recorded failures were read. */
  areLimitsRestored: boolean;
  /** As last read or written. Commits check them, so they may be out of date. */
  texts: WebhookTexts | undefined;
  /** Slots of the pool: attempts that are loaded or sent. */
  inFlight: number;
  /** Attempts that are sent. */
  sending: number;
  /** Results that wait to be recorded. */
  unrecorded: number;
  /** The store failed, or an attempt could not be made: nothing starts before this time. */
  pausedUntil: number;
  /** When its timer activates it. Infinity: it has none. */
  wakesAt: number;
  cancelWake: () => void;
  /** The partition is lost: another worker delivers to this endpoint. */
  isLost: boolean;
}
