import type { Clock } from "@hookwright/delivery";
import { HookwrightError } from "@hookwright/domain";
import type { Key } from "@hookwright/storage";
import type { EventStream, StreamAccess } from "../use-cases.ts";
import { commentIntervalMs, maximumStreamsOfAccount, maximumStreamsOfProcess } from "./limits.ts";
import type { StreamAccessChecks } from "./stream-access.ts";

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
  /** @throws HookwrightError `rate_limited`; `internal_error` (503) while the process closes */
  expectRoom(accountId: string): void;
  /** @throws as {@link EventStreams.expectRoom} */
  open(access: StreamAccess, source: EventSource): EventStream;
  /** Ends all streams. Resolves when none of them reads. */
  close(): Promise<void>;
}

/**
 * Streams of server-sent events (WHATWG HTML, section 9.2). Their number is limited, and each ends when its credential does. A stream
 * reads only when its connection takes more, so a slow client costs no memory.
 */
export function createEventStreams({
  clock,
  accessChecks,
}: {
  readonly clock: Clock;
  readonly accessChecks: StreamAccessChecks;
}): EventStreams {
  const opened = new Set<EventStream>();
  const counts = new Map<string, number>();
  const reading = new Set<Promise<unknown>>();
  let isClosed = false;

  function expectRoom(accountId: string): void {
    if (isClosed) {
      throw new HookwrightError("internal_error", "This process is closing. Connect again.", {
        status: 503,
        retryAfterSeconds: 1,
      });
    }
    if ((counts.get(accountId) ?? 0) >= maximumStreamsOfAccount)
      throw tooMany(`The account has ${maximumStreamsOfAccount} open streams. Close one first.`);
    if (opened.size >= maximumStreamsOfProcess)
      throw tooMany("Too many streams are open at this moment. Try again later.");
  }

  function count(accountId: string, change: 1 | -1): void {
    const left = (counts.get(accountId) ?? 0) + change;
    if (left === 0) counts.delete(accountId);
    else counts.set(accountId, left);
  }

  function open(given: StreamAccess, source: EventSource): EventStream {
    const { accountId } = given.caller;
    expectRoom(accountId);
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
    let isEnded = false;
    let isGreeted = false;
    let sentAt = clock.now();

    function end(): void {
      if (isEnded) return;
      isEnded = true;
      opened.delete(stream);
      count(accountId, -1);
      access.stop();
      source.end();
      onEnded();
    }

    async function next(): Promise<string | undefined> {
      if (!isGreeted) {
        isGreeted = true;
        return source.greeting;
      }
      for (;;) {
        if (isEnded) return undefined;
        const chunk = await source.read();
        if (chunk !== undefined) {
          await access.confirm();
          if (isEnded) return undefined;
          if (chunk !== "") return chunk;
          continue;
        }
        const leftMs = sentAt + commentIntervalMs - clock.now();
        if (leftMs > 0 && (await source.changed(leftMs))) continue;
        if (isEnded) return undefined;
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
    count(accountId, 1);
    return stream;
  }

  return {
    expectRoom,
    open,
    async close() {
      isClosed = true;
      for (const stream of opened) stream.close();
      // Afterwards the store may be closed.
      await Promise.allSettled(reading);
    },
  };
}

function tooMany(message: string): HookwrightError {
  return new HookwrightError("rate_limited", message, { retryAfterSeconds: 10 });
}
