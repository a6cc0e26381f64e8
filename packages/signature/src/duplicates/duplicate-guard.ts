import { SignatureError } from "../signature-error.ts";
import type { DuplicateStorage } from "./duplicate-storage.ts";
import { memoryDuplicates } from "./memory-duplicates.ts";

export interface DuplicateGuardOptions {
  /** Where it is kept which events were handled. @default this process's memory: for one process, until it ends */
  readonly storage?: DuplicateStorage | undefined;
  /** So long an event may take: who has not finished by then is taken for dead, and a retry may handle it. @default 60 */
  readonly handlingSeconds?: number | undefined;
  /** So long an event that was handled is remembered. @default 2592000, 30 days */
  readonly rememberedSeconds?: number | undefined;
  /**
   * What the keys of the storage begin with. Each receiver of the same events needs one of its own: they would take each other's for
   * duplicates.
   * @default "webhook-event:"
   */
  readonly prefix?: string | undefined;
}

/** An event that is this caller's to handle: nobody else is given it until he commits, releases, or is taken for dead. */
export interface ClaimedEvent {
  readonly status: "claimed";
  /** It is handled: it is a duplicate from now on. */
  commit(): Promise<void>;
  /** It was not handled: whoever comes next may. */
  release(): Promise<void>;
}

export type EventClaim = ClaimedEvent | { readonly status: "done" } | { readonly status: "busy" };

/** What tells an event from others: the verified event itself, or a text of your own. */
export type EventIdentity = string | { readonly id: string; readonly project: { readonly id: string } };

export interface DuplicateGuard {
  /**
   * Handles an event unless that was done before.
   *
   * - `handled`: `handle` has run, and resolved. Answer 2xx.
   * - `duplicate`: the event was handled before. Answer 2xx.
   * - `busy`: somebody is handling it now, and may yet fail. Answer 409, and it comes again.
   *
   * @param event known again by its `id`, which is signed and the same on every retry and resend, and by its site: two accounts may
   * both have an order 1001
   * @throws whatever `handle` throws; the event may then be handled again
   */
  once(event: EventIdentity, handle: () => unknown): Promise<"handled" | "duplicate" | "busy">;
  /** The same in steps, for work that does not fit into one function. */
  claim(event: EventIdentity): Promise<EventClaim>;
}

const done = "done";

/**
 * Sees to it that an event is handled once, although it may be delivered more than once: a delivery comes again when its answer was
 * lost, and when somebody resends it (specification §6.3). Who is killed between handling an event and committing it handles it once
 * more: where that must not be, keep the id in the same transaction as the work instead.
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
    // Its own mark: a client that lost the connection has sent the command again.
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
        await claimed.release().catch((fault: unknown) => {
          throw new AggregateError(
            [error, fault],
            "the event was not handled, and stays claimed for a while",
            { cause: error },
          );
        });
        throw error;
      }
      try {
        // A connection that was lost meanwhile is there again at the second try, mostly.
        await claimed.commit().catch(() => claimed.commit());
      } catch (cause) {
        throw new Error("the event was handled, and could not be remembered: it may be handled again", {
          cause,
        });
      }
      return "handled";
    },
  };
}

/** An event without an id is everybody's duplicate, and none would ever be handled. */
function toIdentity(event: EventIdentity): string {
  const parts: unknown[] = typeof event === "string" ? [event] : [event?.project?.id, event?.id];
  // Lone surrogates are one letter where texts are kept as UTF-8.
  if (parts.every((part) => typeof part === "string" && part !== "" && part.isWellFormed()))
    return parts.join(" ");
  throw new SignatureError(
    "invalid_option",
    "pass the event as it was verified, or a text that tells it from others",
  );
}

/** Longer than a date can say; Redis refuses such times, and would do so only after the event was handled. */
const tooManySeconds = 8_640_000_000_000;

function requireSeconds(name: string, seconds: number): void {
  if (seconds > 0 && seconds < tooManySeconds) return;
  const bounds = `above 0 and below ${tooManySeconds}`;
  throw new SignatureError("invalid_option", `${name} must be a number of seconds ${bounds}`);
}
