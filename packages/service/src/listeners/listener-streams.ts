import { signHeaders } from "@hookwright/delivery";
import type { AttemptInput, Clock, ReadMessages } from "@hookwright/delivery";
import { isHostId } from "@hookwright/domain";
import type { OnError } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { noSuch } from "../lookups/no-such.ts";
import { keys } from "../rows/keys.ts";
import { hears } from "../rows/listener-row.ts";
import type { ListenerRow } from "../rows/listener-row.ts";
import type { Signing } from "../secrets/signing.ts";
import type { EventSource, EventStreams } from "../streams/event-streams.ts";
import type { EventStream, ListenerStreamOptions } from "../use-cases.ts";
import { createEventFeed, toDeliveryRow } from "./event-feed.ts";
import type { EventFeed, LoadedEvent } from "./event-feed.ts";
import type { ListenerEventLog } from "./event-log.ts";
import { absentReaderMs, presentReaderMs, renewalMs } from "../rows/listener-row.ts";
import type { ListenerStore } from "./listener-store.ts";

export interface ListenerStreamsOptions {
  readonly store: Store;
  readonly streams: EventStreams;
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
  open(listenerId: string, options: ListenerStreamOptions): Promise<EventStream>;
  /** Ends all streams. Their listeners stay for ten minutes. */
  close(): Promise<void>;
}

interface Reader {
  readonly listenerId: string;
}

/** The streams of one account in this process. */
interface Account {
  readonly feed: EventFeed;
  readonly readers: Set<Reader>;
  /** Cancels the renewal of each listener with a reader. */
  readonly renewals: Map<string, () => void>;
}

/** The streams of listeners. Any process can serve any listener: all state is in the store. */
export function createListenerStreams(options: ListenerStreamsOptions): ListenerStreams {
  const { store, streams, listeners, log, readMessages, signing, clock, now, onError } = options;
  const accounts = new Map<string, Account>();
  /** Writes that follow the end of a stream. */
  const leaving = new Set<Promise<void>>();
  let unwatch: (() => void) | undefined;

  function onNotification(notified: readonly Key[] | undefined): void {
    if (notified === undefined) for (const { feed } of accounts.values()) feed.touch();
    for (const [, table, accountId] of notified ?? [])
      if (table === "listener-inbox" && typeof accountId === "string") accounts.get(accountId)?.feed.touch();
  }

  function report(error: unknown, accountId: string, listenerId: string): void {
    onError(error, { account_id: accountId, listener_id: listenerId, code: "listener_not_renewed" });
  }

  async function renew(accountId: string, listenerId: string, lifetimeMs: number): Promise<void> {
    try {
      await listeners.renew(accountId, listenerId, lifetimeMs);
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

  return {
    open: (listenerId, { lastEventId, ...access }) =>
      streams.open(access, async () => {
        const { accountId } = access.caller;
        const row = await listeners.find(access.caller, listenerId);
        if (row === undefined) throw noSuch("listener");
        const last =
          lastEventId !== undefined && isHostId(lastEventId)
            ? await log.find(accountId, lastEventId)
            : undefined;
        if (!(await listeners.renew(accountId, listenerId, presentReaderMs))) throw noSuch("listener");
        const reader: Reader = { listenerId };
        const account = enter(accountId, reader);
        return createSource({
          row,
          feed: account.feed,
          // Without its row, the named event is older than everything that is kept.
          position: Math.max(row.since, last ?? 0),
          key: keys.listener(accountId, listenerId),
          end() {
            leave(accountId, account, reader);
            account.feed.touch();
          },
        });
      }),

    async close() {
      unwatch?.();
      await streams.close();
      await Promise.all(leaving);
    },
  };

  interface SourceParts {
    readonly row: ListenerRow;
    readonly key: Key;
    readonly feed: EventFeed;
    readonly position: number;
    readonly end: () => void;
  }

  function createSource({ row, key, feed, end, ...parts }: SourceParts): EventSource {
    const secrets = { webhook_id: row.id, current: row.secret, pending: null };
    const signers = { sign: signing.openSigner(secrets), extraHeaders: signing.openExtraHeaders(secrets) };
    let { position } = parts;
    let seen = 0;
    return {
      greeting: ": listening\n\n",
      row: key,
      async read() {
        seen = feed.version();
        const events = await feed.read(position);
        const last = events.at(-1);
        if (last === undefined) return undefined;
        const isComplete = events.every(
          ({ event }, index) => event.previous <= (events[index - 1]?.position ?? position),
        );
        // One chunk for all of them: under load, most of the cost of an event is that of its write.
        const chunk =
          (isComplete ? "" : droppedEvent) +
          events.map((event) => render(row, event, signers, now())).join("");
        position = last.position;
        return chunk;
      },
      changed: (ms) => feed.changed(seen, ms),
      refresh: feed.touch,
      end,
      onError: (error) => onError(error, { listener_id: row.id, code: "listener_stream_failed" }),
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
  if (body === undefined || !hears(row, event)) return undefined;
  const headers = signHeaders({ delivery: toDeliveryRow(event), body, ...signers }, signedAt);
  // JSON has no line breaks, so the data is one line.
  return `id: ${event.id}\nevent: delivery\ndata: ${JSON.stringify({ headers, body })}\n\n`;
}
