import type { IdPrefix, Subscriber, OnError } from "@hookwright/domain";
import type { CursorCodec } from "@hookwright/cursor";
import type { AttemptInput, AttemptRow, SecretBox, SignerSource, TargetPolicy } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import type { DeliveryRow, LaneAddress } from "@hookwright/delivery";
import type { Directory } from "./lookups/directory.ts";

/** What every use case works with. */
export interface ServiceContext {
  readonly store: Store;
  readonly directory: Directory;
  readonly cursors: CursorCodec;
  readonly secretBox: SecretBox;
  readonly targetPolicy: TargetPolicy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: (prefix: IdPrefix) => string;
  /** Grows with every row that arrives: breaks ties between rows of one millisecond. */
  readonly nextArrival: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly random: () => number;
  /** The salt of all passwords of an e-mail address. */
  readonly passwordSalt: (email: string) => Uint8Array;
  /** Makes one attempt, for tests; deliveries are the scheduler's. */
  readonly runAttempt: (input: AttemptInput) => Promise<AttemptRow>;
  /** Told of every test once it is durable: for metrics. */
  readonly onTest?: ((accountId: string, delivery: DeliveryRow, attempt: AttemptRow) => void) | undefined;
  readonly signers: SignerSource;
  /** Seconds a console token lives. */
  readonly consoleTokenSeconds: number;
  /** Starts the site's welcome automation, where the host has one. It is called after the commit. An error of it is logged. */
  readonly onSubscribed?: ((subscriber: Subscriber) => Promise<void> | void) | undefined;
  /** Whether customers of published records become contacts here: not where the host keeps its contacts itself. */
  readonly keepsContacts: boolean;
  /** Gets errors that happen after a request has succeeded. */
  readonly onError: OnError;
  /** Told of new deliveries and removed webhooks right after the commit; a store's wake-up may be lost. */
  readonly scheduler: {
    /** Whether this process delivers for an account, so that an offer reaches whoever would have to be woken. */
    takes(accountId: string): boolean;
    offer(accountId: string, deliveries: readonly DeliveryRow[]): void;
    /** A commit that makes deliveries of this account was not answered: they may be there. */
    doubt(accountId: string): void;
    /** Its webhook was removed. */
    wake(lane: LaneAddress): void;
  };
}
