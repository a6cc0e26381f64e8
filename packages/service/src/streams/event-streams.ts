import type { Clock } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import { createFairLimit } from "../limits/fair-limit.ts";
import type { LimitedUse } from "../limits/fair-limit.ts";
import { toFingerprint } from "../rows/credential-rows.ts";
import type { EventStream, StreamAccess } from "../use-cases.ts";
import type { StreamAccessChecks } from "./stream-access.ts";

/** Open streams of an account in one process. */
export const maximumStreamsOfAccount = 40;
/** Each stream is checked every second. A process has fewer if it may hold fewer than twice as many connections. */
export const maximumStreamsOfProcess = 1_000;
/** A client whose stream ended for another one, or was refused, should wait this long. */
const reconnectAfterSeconds = 10;
/** A comment is sent after this time without an event (contract: The developer API). */
const commentIntervalMs = 15_000;

/** Where a stream gets its events. */
export interface EventSource {
  /** The first comment. Headers are only sent with the first bytes of the body. */
  readonly greeting: string;
  /** What the stream is about. The stream ends when this row is removed. */
  readonly row?: Key | undefined;
  /** The next events as text, in one chunk. Undefined: there are none now. May be empty, if nothing of them is sent. */
  read(): Promise<string | undefined>;
  /** Resolves with true when there may be events since the last read, or with false after `ms`. */
  changed(ms: number): Promise<boolean>;
  /** Called after 15 s without an event. A notification may have been lost. */
  refresh?(): void;
  /** Called once. Must make {@link EventSource.changed} resolve. */
  end(): void;
  /** An error of {@link EventSource.read}. The stream has ended. */
  onError(error: unknown): void;
}

export interface EventStreams {
  /**
   * Opens a stream whose events `prepare` makes available. At the limit, the oldest stream of the account with the most ends, then of the
   * network and the credential with the most.
   *
   * @throws HookwrightError `rate_limited` if this credential itself has the most; `internal_error` (503) while the process closes
   * @throws what `prepare` throws
   */
  open(access: StreamAccess, prepare: () => Promise<EventSource>): Promise<EventStream>;
  /** Ends all streams. Resolves when none of them reads. */
  close(): Promise<void>;
}

export interface EventStreamsOptions {
  readonly clock: Clock;
  readonly accessChecks: StreamAccessChecks;
  /** Connections that the process may hold. Streams use at most half of them. @default no limit */
  readonly maximumConnections?: number | undefined;
}

/**
 * Streams of server-sent events (WHATWG HTML, section 9.2). Their number is limited, and each ends when its credential does. A stream
 * reads only when its connection takes more, so a slow client costs no memory.
 */
export function createEventStreams({
  clock,
  accessChecks,
  maximumConnections = Number.POSITIVE_INFINITY,
}: EventStreamsOptions): EventStreams {
  const limit = createFairLimit({
    // The other half is for requests, also if streams use all that they may.
    maximum: Math.max(1, Math.min(maximumStreamsOfProcess, Math.floor(maximumConnections / 2))),
    maximumOfAccount: maximumStreamsOfAccount,
  });
  const opened = new Set<EventStream>();
  const reading = new Set<Promise<unknown>>();
  let isClosed = false;

  function expectOpen(): void {
    if (!isClosed) return;
    throw new HookwrightError("internal_error", "This process is closing. Connect again.", {
      status: 503,
      retryAfterSeconds: 1,
    });
  }

  async function open(access: StreamAccess, prepare: () => Promise<EventSource>): Promise<EventStream> {
    expectOpen();
    let displace = (): void => {};
    const displaced = new Promise<void>((resolve) => (displace = resolve));
    const use: LimitedUse = { holders: holdersOf(access), end: displace };
    if (!limit.add(use)) {
      throw new HookwrightError(
        "rate_limited",
        "Too many streams are open, and most of them are yours. Close one first.",
        { retryAfterSeconds: reconnectAfterSeconds },
      );
    }
    const leave = (): void => limit.remove(use);
    try {
      const source = await prepare();
      return start(access, source, { displaced, leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  interface Place {
    /** Resolves when another stream takes the place. */
    readonly displaced: Promise<void>;
    readonly leave: () => void;
  }

  function start(given: StreamAccess, source: EventSource, { displaced, leave }: Place): EventStream {
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    let isEnded = false;
    let isGreeted = false;
    let lastWords: string | undefined;
    let sentAt = clock.now();

    function end(): void {
      if (isEnded) return;
      isEnded = true;
      opened.delete(stream);
      leave();
      access.stop();
      source.end();
      onEnded();
    }

    /** The end of the stream: what is still to be said, then undefined. */
    function finish(): string | undefined {
      const text = lastWords;
      lastWords = undefined;
      return text;
    }

    async function next(): Promise<string | undefined> {
      if (!isGreeted) {
        isGreeted = true;
        return source.greeting;
      }
      for (;;) {
        if (isEnded) return finish();
        const chunk = await source.read();
        if (chunk !== undefined) {
          await access.confirm();
          if (isEnded) return finish();
          if (chunk !== "") return chunk;
          continue;
        }
        const leftMs = sentAt + commentIntervalMs - clock.now();
        if (leftMs > 0 && (await source.changed(leftMs))) continue;
        if (isEnded) return finish();
        source.refresh?.();
        return ": keep-alive\n\n";
      }
    }

    const stream: EventStream = {
      async next() {
        const read = next();
        reading.add(read);
        try {
          const chunk = await read;
          sentAt = clock.now();
          return chunk;
        } catch (error) {
          end();
          source.onError(error);
          throw error;
        } finally {
          reading.delete(read);
        }
      },
      ended,
      close: end,
    };
    const access = accessChecks.start({ access: given, row: source.row, end });
    opened.add(stream);
    void displaced.then(() => {
      lastWords = displacedEvent;
      end();
    });
    if (isClosed) end();
    return stream;
  }

  return {
    open,
    async close() {
      isClosed = true;
      for (const stream of opened) stream.close();
      // Afterwards the store may be closed.
      await Promise.allSettled(reading);
    },
  };
}

/** The account, its network, and the key or session. */
function holdersOf({ caller, token, network = "" }: StreamAccess): LimitedUse["holders"] {
  const { accountId, credential } = caller;
  const holder = credential.type === "key" ? credential.keyId : toFingerprint(token);
  return [accountId, network, holder];
}

/** `retry` tells an `EventSource` when to connect again. */
const displacedEvent = `event: displaced\nretry: ${reconnectAfterSeconds * 1_000}\ndata: ${JSON.stringify({
  message: "The server has as many streams as it may have, and ended this one for another client.",
  retry_after_seconds: reconnectAfterSeconds,
})}\n\n`;
