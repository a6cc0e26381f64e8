import { signHeaders } from "@hookwright/delivery";
import type { AttemptInput, Clock, ReadMessages } from "@hookwright/delivery";
import { HookwrightError, isHookwrightError, isHostId } from "@hookwright/domain";
import type { OnError } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { noSuch } from "../lookups/no-such.ts";
import { hears } from "../rows/listener-row.ts";
import type { ListenerRow } from "../rows/listener-row.ts";
import type { Signing } from "../signing/signing.ts";
import type { ListenerStream, ListenerStreamOptions } from "../use-cases.ts";
import { createEventFeed, toDeliveryRow } from "./event-feed.ts";
import type { EventFeed, LoadedEvent } from "./event-feed.ts";
import type { ListenerEventLog } from "./event-log.ts";
import {
  absentReaderMs,
  authorizedMs,
  commentIntervalMs,
  maximumStreamsOfAccount,
  maximumStreamsOfProcess,
  presentReaderMs,
  renewalMs,
} from "./limits.ts";
import type { ListenerStore } from "./listener-store.ts";

export interface ListenerStreamsOptions {
  readonly store: Store;
  readonly listeners: ListenerStore;
  readonly log: ListenerEventLog;
  readonly readMessages: ReadMessages;
  readonly signing: Pick<Signing, "openSigner" | "openExtraHeaders">;
  readonly clock: Clock;
  /** Milliseconds since the epoch: the signed time. */
  readonly now: () => number;
  readonly onError: OnError;
}

export interface ListenerStreams {
  /** @throws HookwrightError `resource_not_found`, `rate_limited`; `internal_error` (503) while the process closes */
  open(accountId: string, listenerId: string, options: ListenerStreamOptions): Promise<ListenerStream>;
  /** Ends all streams. Their listeners stay for ten minutes. */
  close(): Promise<void>;
}

interface Reader {
  readonly listenerId: string;
  end(): void;
}

/** The streams of one account in this process. */
interface Account {
  readonly feed: EventFeed;
  readonly readers: Set<Reader>;
  /** Cancels the renewal of each listener with a reader. */
  readonly renewals: Map<string, () => void>;
}

/** Server-sent events (WHATWG HTML, section 9.2). Any process can serve any listener: all state is in the store. */
export function createListenerStreams(options: ListenerStreamsOptions): ListenerStreams {
  const { store, listeners, log, readMessages, signing, clock, now, onError } = options;
  const accounts = new Map<string, Account>();
  /** Writes that follow the end of a stream. */
  const leaving = new Set<Promise<void>>();
  /** Reads of streams. */
  const reading = new Set<Promise<unknown>>();
  let streams = 0;
  let isClosed = false;
  let unwatch: (() => void) | undefined;

  function onNotification(notified: readonly Key[] | undefined): void {
    if (notified === undefined) {
      for (const [accountId, account] of accounts) {
        account.feed.touch();
        endRemoved(accountId, account);
      }
      return;
    }
    for (const [, table, accountId] of notified) {
      const account = typeof accountId === "string" ? accounts.get(accountId) : undefined;
      if (account === undefined || typeof accountId !== "string") continue;
      if (table === "listener-inbox") account.feed.touch();
      else if (table === "listener") endRemoved(accountId, account);
    }
  }

  /** Ends the streams of listeners that were removed. */
  function endRemoved(accountId: string, account: Account): void {
    for (const listenerId of account.renewals.keys()) {
      listeners.find(accountId, listenerId).then(
        (row) => {
          if (row === undefined) endReaders(account, listenerId);
        },
        (error: unknown) => report(error, accountId, listenerId),
      );
    }
  }

  function endReaders(account: Account, listenerId: string): void {
    for (const reader of account.readers) if (reader.listenerId === listenerId) reader.end();
  }

  function report(error: unknown, accountId: string, listenerId: string): void {
    onError(error, { account_id: accountId, listener_id: listenerId, code: "listener_not_renewed" });
  }

  async function renew(accountId: string, listenerId: string, lifetimeMs: number): Promise<void> {
    try {
      const isThere = await listeners.renew(accountId, listenerId, lifetimeMs);
      const account = accounts.get(accountId);
      if (!isThere && account !== undefined) endReaders(account, listenerId);
    } catch (error) {
      // The next renewal may succeed: the listener lives for ten more of them.
      report(error, accountId, listenerId);
    }
  }

  function renewLater(account: Account, accountId: string, listenerId: string): void {
    const cancel = clock.schedule(async () => {
      await renew(accountId, listenerId, presentReaderMs);
      if (account.renewals.get(listenerId) === cancel) renewLater(account, accountId, listenerId);
    }, renewalMs);
    account.renewals.set(listenerId, cancel);
  }

  function enter(accountId: string, reader: Reader): Account {
    const account = accounts.get(accountId) ?? {
      feed: createEventFeed({ accountId, log, readMessages, clock }),
      readers: new Set<Reader>(),
      renewals: new Map<string, () => void>(),
    };
    accounts.set(accountId, account);
    account.readers.add(reader);
    if (!account.renewals.has(reader.listenerId)) renewLater(account, accountId, reader.listenerId);
    unwatch ??= store.watch(onNotification);
    return account;
  }

  function leave(accountId: string, account: Account, reader: Reader): void {
    const { listenerId } = reader;
    account.readers.delete(reader);
    if (account.readers.size === 0) accounts.delete(accountId);
    if ([...account.readers].some((other) => other.listenerId === listenerId)) return;
    account.renewals.get(listenerId)?.();
    account.renewals.delete(listenerId);
    const left = renew(accountId, listenerId, absentReaderMs).finally(() => leaving.delete(left));
    leaving.add(left);
  }

  function expectRoom(accountId: string): void {
    if (isClosed) {
      throw new HookwrightError("internal_error", "This process is closing. Connect again.", {
        status: 503,
        retryAfterSeconds: 1,
      });
    }
    if ((accounts.get(accountId)?.readers.size ?? 0) >= maximumStreamsOfAccount)
      throw tooMany(`The account has ${maximumStreamsOfAccount} open streams. Close one first.`);
    if (streams >= maximumStreamsOfProcess)
      throw tooMany("Too many streams are open at this moment. Try again later.");
  }

  return {
    async open(accountId, listenerId, { lastEventId, authorize }) {
      const row = await listeners.find(accountId, listenerId);
      if (row === undefined) throw noSuch("listener");
      const last =
        lastEventId !== undefined && isHostId(lastEventId)
          ? await log.find(accountId, lastEventId)
          : undefined;
      if (!(await listeners.renew(accountId, listenerId, presentReaderMs))) throw noSuch("listener");
      // After the reads, so that concurrent requests cannot exceed the limits.
      expectRoom(accountId);

      let ended = false;
      let cancelAuthorization = (): void => {};
      const reader: Reader = {
        listenerId,
        end() {
          if (ended) return;
          ended = true;
          streams -= 1;
          cancelAuthorization();
          leave(accountId, account, reader);
          account.feed.touch();
        },
      };
      const account = enter(accountId, reader);
      streams += 1;

      let authorizedAt = clock.now();
      /** A revoked key or a suspended account ends the stream. */
      async function authorizeAgain(): Promise<void> {
        try {
          await authorize();
          authorizedAt = clock.now();
        } catch (error) {
          // Otherwise the store is unavailable, which says nothing about the credential.
          if (isHookwrightError(error) && error.status < 500) reader.end();
        }
      }
      function authorizeLater(): void {
        cancelAuthorization = clock.schedule(async () => {
          await authorizeAgain();
          if (!ended) authorizeLater();
        }, commentIntervalMs);
      }
      authorizeLater();
      const secrets = { webhook_id: row.id, current: row.secret, pending: null };
      const signers = { sign: signing.openSigner(secrets), extraHeaders: signing.openExtraHeaders(secrets) };
      return createStream({
        row,
        feed: account.feed,
        // Without its row, the named event is older than everything that is kept.
        position: Math.max(row.since, last ?? 0),
        signers,
        isEnded: () => ended,
        async confirm() {
          if (clock.now() - authorizedAt >= authorizedMs) await authorizeAgain();
        },
        end: reader.end,
      });
    },

    async close() {
      isClosed = true;
      for (const { readers } of accounts.values()) for (const reader of readers) reader.end();
      unwatch?.();
      // Afterwards the store may be closed.
      await Promise.allSettled(reading);
      await Promise.all(leaving);
    },
  };

  interface StreamParts {
    readonly row: ListenerRow;
    readonly feed: EventFeed;
    readonly position: number;
    readonly signers: Signers;
    readonly isEnded: () => boolean;
    /** Ends the stream if its caller is refused now. */
    readonly confirm: () => Promise<void>;
    readonly end: () => void;
  }

  function createStream({
    row,
    feed,
    signers,
    isEnded,
    confirm,
    end,
    ...parts
  }: StreamParts): ListenerStream {
    let { position } = parts;
    let sentAt = clock.now();
    let isGreeted = false;

    async function next(): Promise<string | undefined> {
      if (!isGreeted) {
        // Headers are only sent with the first bytes of the body.
        isGreeted = true;
        return ": listening\n\n";
      }
      for (;;) {
        if (isEnded()) return undefined;
        const seen = feed.version;
        const events = await feed.read(position);
        const last = events.at(-1);
        if (last !== undefined) {
          await confirm();
          if (isEnded()) return undefined;
          const dropped = events[0]?.event.previous ?? 0;
          const chunk =
            (dropped > position ? droppedEvent : "") +
            events.map((event) => render(row, event, signers, now())).join("");
          position = last.position;
          // One chunk for all of them: under load, most of the cost of an event is that of its write.
          if (chunk !== "") return chunk;
          continue;
        }
        const leftMs = sentAt + commentIntervalMs - clock.now();
        if (leftMs > 0 && (await feed.changed(seen, leftMs))) continue;
        if (isEnded()) return undefined;
        // A notification may have been lost.
        feed.touch();
        return ": keep-alive\n\n";
      }
    }

    return {
      async next() {
        const read = next();
        reading.add(read);
        try {
          const chunk = await read;
          sentAt = clock.now();
          return chunk;
        } catch (error) {
          end();
          onError(error, { listener_id: row.id, code: "listener_stream_failed" });
          throw error;
        } finally {
          reading.delete(read);
        }
      },
      close: end,
    };
  }
}

type Signers = Pick<AttemptInput, "sign" | "extraHeaders">;

/** It has no id, so a reader that continues after its last delivery gets nothing twice. */
const droppedEvent = `event: dropped\ndata: ${JSON.stringify({
  message: "Some events were dropped, because they were read too late.",
})}\n\n`;

/** One event of the stream, signed now. Empty if the listener does not get it. */
function render(
  row: ListenerRow,
  { event, body }: LoadedEvent,
  signers: Signers,
  signedAt: number,
): string | undefined {
  if (body === undefined || !hears(row, { event: event.event, projectId: event.project_id }))
    return undefined;
  const headers = signHeaders({ delivery: toDeliveryRow(event), body, ...signers }, signedAt);
  // JSON has no line breaks, so the data is one line.
  return `id: ${event.id}\nevent: delivery\ndata: ${JSON.stringify({ headers, body })}\n\n`;
}

function tooMany(message: string): HookwrightError {
  return new HookwrightError("rate_limited", message, { retryAfterSeconds: 10 });
}
