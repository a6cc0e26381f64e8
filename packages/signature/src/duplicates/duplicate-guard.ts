import { SignatureError } from "../signature-error.ts";
import type { DuplicateStorage } from "./duplicate-storage.ts";
import { memoryDuplicates } from "./memory-duplicates.ts";

export interface DuplicateGuardOptions {
  /** The storage of handled events. @default the memory of this process */
  readonly storage?: DuplicateStorage | undefined;
  /** The time limit of handling, in seconds. After that a retry may handle the event again. @default 60 */
  readonly handlingSeconds?: number | undefined;
  /** How long handled events are remembered, in seconds. @default 2592000, 30 days */
  readonly rememberedSeconds?: number | undefined;
  /**
   * The prefix of the keys in the storage. Receivers that share a storage need different prefixes, otherwise they take each
   * other's events for duplicates.
   * @default "webhook-event:"
   */
  readonly prefix?: string | undefined;
}

/** An event that this caller must handle. Other callers get `busy` until it commits or releases, or `handlingSeconds` end. */
export interface ClaimedEvent {
  readonly status: "claimed";
  /** Marks the event as handled: from now on it is a duplicate. */
  commit(): Promise<void>;
  /** Releases the event: its next delivery is handled. */
  release(): Promise<void>;
}

export type EventClaim = ClaimedEvent | { readonly status: "done" } | { readonly status: "busy" };

/** What identifies an event: the verified event itself, or a string of your own. */
export type EventIdentity = string | { readonly id: string; readonly project: { readonly id: string } };

export interface DuplicateGuard {
  /**
   * Handles an event unless it was handled before.
   *
   * - `handled`: `handle` has run and resolved. Answer 2xx.
   * - `duplicate`: the event was handled before. Answer 2xx.
   * - `busy`: another call is handling it now and may still fail. Answer 409, so that it is delivered again.
   *
   * @param event identified by its `id`, which is signed and the same on every retry and resend, and by its site, because two
   * accounts may both have an order 1001
   * @throws what `handle` throws; the event may then be handled again
   */
  once(event: EventIdentity, handle: () => unknown): Promise<"handled" | "duplicate" | "busy">;
  /** Like `once` in separate steps, for work that does not fit into one function. */
  claim(event: EventIdentity): Promise<EventClaim>;
}

const done = "done";

/**
 * Creates a guard that handles each event once, although it may be delivered several times: after a lost
 * response and after a resend (contract: Deliveries).
 * A process that is killed after it handled an event and before the commit handles it again. If that must not
 * happen, store the id in the same transaction as the work.
 *
 * @throws SignatureError `invalid_option`
 * @example
 * const guard = createDuplicateGuard();
 * const event = await verify({ body, headers, secrets });
 * const outcome = await guard.once(event, () => handle(event));
 * return new Response(null, { status: outcome === "busy" ? 409 : 204 });
 */
export function createDuplicateGuard(options: DuplicateGuardOptions = {}): DuplicateGuard {
  const { storage = memoryDuplicates(), prefix = "webhook-event:" } = options;
  const { handlingSeconds = 60, rememberedSeconds = 2_592_000 } = options;
  requireSeconds("handlingSeconds", handlingSeconds);
  requireSeconds("rememberedSeconds", rememberedSeconds);

  async function claim(event: EventIdentity): Promise<EventClaim> {
    const key = prefix + toIdentity(event);
    const mark = `claimed ${crypto.randomUUID()}`;
    const known = await storage.claim(key, mark, handlingSeconds);
    if (known === done) return { status: "done" };
    // Its own mark means that the client sent the command twice after a lost connection.
    if (known !== null && known !== undefined && known !== mark) return { status: "busy" };
    return {
      status: "claimed",
      commit: async () => void (await storage.put(key, done, rememberedSeconds)),
      release: async () => void (await storage.remove(key, mark)),
    };
  }

  return {
    claim,
    async once(event, handle) {
      const claimed = await claim(event);
      if (claimed.status !== "claimed") return claimed.status === "done" ? "duplicate" : "busy";
      try {
        await handle();
      } catch (error) {
        await claimed.release().catch((releaseError: unknown) => {
          throw new AggregateError(
            [error, releaseError],
            `the event was not handled, and releasing it failed: it stays busy for up to ${handlingSeconds} s`,
            { cause: error },
          );
        });
        throw error;
      }
      try {
        // After a lost connection, the second attempt usually succeeds.
        await claimed.commit().catch(() => claimed.commit());
      } catch (cause) {
        throw new Error("the event was handled, but storing that failed: it may be handled again", {
          cause,
        });
      }
      return "handled";
    },
  };
}

/** Events without an id would all share one key, and all but the first would be duplicates. */
function toIdentity(event: EventIdentity): string {
  const parts: unknown[] = typeof event === "string" ? [event] : [event?.project?.id, event?.id];
  // A storage that keeps UTF-8 would store all lone surrogates as the same character.
  if (parts.every((part) => typeof part === "string" && part !== "" && part.isWellFormed()))
    return parts.join(" ");
  throw new SignatureError(
    "invalid_option",
    "event has no id: pass the event that verify returned, or a non-empty string that identifies it",
  );
}

/** The range of Date. Redis refuses longer times, but only after the event was handled. */
const tooManySeconds = 8_640_000_000_000;

function requireSeconds(name: string, seconds: number): void {
  if (seconds > 0 && seconds < tooManySeconds) return;
  const bounds = `above 0 and below ${tooManySeconds}`;
  throw new SignatureError("invalid_option", `${name} must be a number of seconds ${bounds}`);
}
