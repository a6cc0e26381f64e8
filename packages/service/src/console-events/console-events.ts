import type { Clock } from "@hookwright/delivery";
import type { EventRegistry, OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { EventSource, EventStreams } from "../streams/event-streams.ts";
import type { ConsoleEventUseCases } from "../use-cases.ts";
import { createChangeFeed } from "./change-feed.ts";
import type { ChangeFeed, ChangeReader } from "./change-feed.ts";
import { createChangeReader } from "./read-changes.ts";

export interface ConsoleEventsOptions {
  readonly store: Store;
  readonly streams: EventStreams;
  readonly events: EventRegistry;
  readonly clock: Clock;
  readonly onError: OnError;
}

/** An account with an open console in this process. */
interface Account {
  readonly accountId: string;
  readonly feed: ChangeFeed;
  readonly reader: ChangeReader;
  /** Resolves when its present rows were read. */
  readonly started: Promise<void>;
  consoles: number;
}

/** The rows of each account are read this often. */
const pollMs = 1_000;
/** The pause after a read is at least this multiple of its duration, however many accounts have an open console. */
const pausePerRead = 9;

/**
 * Server-sent events for open consoles. One loop reads the newest rows of each account that has an open console, and all its consoles
 * share them. So it works whichever process makes the changes, and costs nothing while no console is open.
 */
export function createConsoleEvents({
  store,
  streams,
  events,
  clock,
  onError,
}: ConsoleEventsOptions): ConsoleEventUseCases {
  const accounts = new Map<string, Account>();
  let running: Promise<void> | undefined;
  let isClosed = false;
  let wake = (): void => {};

  async function poll(): Promise<void> {
    while (accounts.size > 0 && !isClosed) {
      for (const account of accounts.values()) {
        if (isClosed) break;
        const startedAt = clock.now();
        await refresh(account);
        await pause(Math.max(pollMs / Math.max(1, accounts.size), pausePerRead * (clock.now() - startedAt)));
      }
    }
    running = undefined;
  }

  async function refresh({ accountId, feed, reader, started, consoles }: Account): Promise<void> {
    if (consoles === 0) return;
    try {
      await started;
      feed.add(await reader.read());
    } catch (error) {
      // The next read may succeed. Its changes include those of this one.
      onError(error, { account_id: accountId, code: "console_changes_not_read" });
    }
  }

  function pause(ms: number): Promise<void> {
    if (isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.schedule(resolve, ms);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }

  function enter(accountId: string): Account {
    const account = accounts.get(accountId) ?? create(accountId);
    accounts.set(accountId, account);
    account.consoles += 1;
    running ??= pause(pollMs).then(poll);
    return account;
  }

  function create(accountId: string): Account {
    const reader = createChangeReader({ store, events, accountId, now: clock.now, onError });
    const feed = createChangeFeed({ clock, first: clock.now() });
    return { accountId, feed, reader, started: reader.start(), consoles: 0 };
  }

  function leave(account: Account): void {
    account.consoles -= 1;
    if (account.consoles === 0) accounts.delete(account.accountId);
  }

  function createSource(account: Account): EventSource {
    const { accountId, feed } = account;
    let position = feed.last;
    let seen = 0;
    return {
      greeting: ": connected\n\n",
      async read() {
        seen = feed.version();
        const changes = feed.read(position);
        position = changes.at(-1)?.position ?? position;
        return changes.length === 0 ? undefined : changes.map(({ text }) => text).join("");
      },
      changed: (ms) => feed.changed(seen, ms),
      end() {
        leave(account);
        feed.touch();
      },
      onError: (error) => onError(error, { account_id: accountId, code: "console_stream_failed" }),
    };
  }

  return {
    open: (access) =>
      streams.open(access, async () => {
        const account = enter(access.caller.accountId);
        try {
          // The client reads its lists afterwards, so it misses no change.
          await account.started;
          return createSource(account);
        } catch (error) {
          leave(account);
          throw error;
        }
      }),
    async close() {
      isClosed = true;
      wake();
      await streams.close();
      await running;
      await Promise.allSettled([...accounts.values()].map(({ started }) => started));
    },
  };
}
