import type { Clock } from "@hookwright/delivery";
import { isHookwrightError } from "@hookwright/domain";
import type { Key, Store } from "@hookwright/storage";
import { sessionEntryTable, sessionsEndedTable } from "../rows/keys.ts";
import { rowsOfCredential } from "../rows/credential-rows.ts";
import type { Service, StreamAccess } from "../use-cases.ts";

/** The rows of all credentials with open streams are read this often. */
const checkIntervalMs = 750;
/** Events are sent only if the credential was found valid within this time. */
const freshMs = 1_000;
/** A credential is authenticated this often, so that the last use of a key is recorded. */
const reauthenticationMs = 60_000;

export interface AccessCheck {
  /**
   * Resolves when the stream was found to have access within the last second, or after it has ended.
   *
   * @throws if the store cannot tell
   */
  confirm(): Promise<void>;
  /** Ends the checks. */
  stop(): void;
}

export interface CheckedStream {
  readonly access: StreamAccess;
  /** What the stream is about. It ends when this row is removed. */
  readonly row: Key | undefined;
  /** Called when the stream has lost its access. Must call {@link AccessCheck.stop}. */
  readonly end: () => void;
}

/** Ends streams that lose their access, in all processes. */
export interface StreamAccessChecks {
  start(stream: CheckedStream): AccessCheck;
}

export interface StreamAccessOptions {
  readonly store: Store;
  readonly authenticate: Service["authenticate"];
  readonly clock: Clock;
  /** Milliseconds since the epoch: the time by which sessions expire. */
  readonly now: () => number;
}

interface Checked extends CheckedStream {
  /** The rows on which the access depends. */
  readonly rows: readonly Key[];
  /** The texts of the rows at the last authentication. Undefined: the next check authenticates. */
  texts: readonly (string | undefined)[] | undefined;
  expiresAt: number | undefined;
  authenticatedAt: number;
  checkedAt: number;
  /** The newest check that runs. The result of an older one does not count. */
  running: Promise<void> | undefined;
}

/** The tables whose changes are notified. */
const notifiedTables: ReadonlySet<unknown> = new Set([
  "account",
  "api-key",
  "console-session",
  "person",
  sessionEntryTable,
  sessionsEndedTable,
  "listener",
]);

/**
 * Ends streams when their key is revoked or expires, their session ends, the password changes, the person is removed, the account is
 * suspended, or their listener is removed.
 *
 * Such a change notifies all processes. Notifications may be lost, so the rows are also read every second: each row once, in one read
 * for all streams of the process.
 */
export function createStreamAccessChecks(options: StreamAccessOptions): StreamAccessChecks {
  const { store, authenticate, clock, now } = options;
  const streams = new Set<Checked>();
  let unwatch = (): void => {};
  let stopChecks = (): void => {};

  function onNotification(notified: readonly Key[] | undefined): void {
    const changed = notified?.filter(([, table]) => notifiedTables.has(table)).map(nameOf) ?? [];
    if (changed.length === 0) return;
    const touched = [...streams].filter(({ rows }) => rows.some((row) => changed.includes(nameOf(row))));
    if (touched.length === 0) return;
    // They send nothing before this check ends.
    for (const stream of touched) stream.checkedAt = Number.NEGATIVE_INFINITY;
    checkSoon(touched);
  }

  /** Returns a function that ends the checks. */
  function startChecks(): () => void {
    let isStopped = false;
    let cancel = (): void => {};
    const checkLater = (): void => {
      cancel = clock.schedule(async () => {
        await checkSoon([...streams]);
        if (!isStopped) checkLater();
      }, checkIntervalMs);
    };
    checkLater();
    return () => {
      isStopped = true;
      cancel();
    };
  }

  /** While the store is unavailable, nobody knows whether a credential has ended. The next check follows within a second. */
  function checkSoon(some: readonly Checked[]): Promise<void> {
    return check(some).catch(() => {});
  }

  async function check(some: readonly Checked[]): Promise<void> {
    const running = readAndCompare(some, (stream) => stream.running === running);
    for (const stream of some) stream.running = running;
    try {
      await running;
    } finally {
      for (const stream of some) if (stream.running === running) stream.running = undefined;
    }
  }

  async function readAndCompare(
    some: readonly Checked[],
    isNewest: (stream: Checked) => boolean,
  ): Promise<void> {
    const rows = new Map(some.flatMap((stream) => stream.rows).map((row) => [nameOf(row), row]));
    const values = await store.getMany([...rows.values()]);
    const found = new Map([...rows.keys()].map((name, index) => [name, values[index]]));
    const compared = some.map(async (stream) => {
      const texts = stream.rows.map((row) => found.get(nameOf(row)));
      const isChanged = mayHaveChanged(stream, texts);
      if (isChanged && !(await hasAccess(stream, texts))) return stream.end();
      if (!isNewest(stream)) return;
      if (isChanged) stream.texts = texts;
      stream.checkedAt = clock.now();
    });
    await Promise.all(compared);
  }

  function mayHaveChanged(stream: Checked, texts: readonly (string | undefined)[]): boolean {
    const { texts: before, expiresAt = Number.POSITIVE_INFINITY, authenticatedAt } = stream;
    return (
      before === undefined ||
      before.some((text, index) => text !== texts[index]) ||
      now() >= expiresAt ||
      clock.now() - authenticatedAt >= reauthenticationMs
    );
  }

  async function hasAccess(stream: Checked, texts: readonly (string | undefined)[]): Promise<boolean> {
    const { access, row } = stream;
    if (row !== undefined && texts.at(-1) === undefined) return false;
    try {
      const caller = await authenticate(access.token);
      access.check(caller);
      stream.expiresAt = caller.expiresAt;
      stream.authenticatedAt = clock.now();
      return true;
    } catch (error) {
      if (isHookwrightError(error) && error.status < 500) return false;
      throw error;
    }
  }

  return {
    start({ access, row, end }) {
      const stream: Checked = {
        access,
        row,
        end,
        rows: [...rowsOfCredential(access.token, access.caller), ...(row === undefined ? [] : [row])],
        texts: undefined,
        expiresAt: undefined,
        authenticatedAt: clock.now(),
        checkedAt: clock.now(),
        running: undefined,
      };
      if (streams.size === 0) {
        unwatch = store.watch(onNotification);
        stopChecks = startChecks();
      }
      streams.add(stream);
      // The access may have ended since the request was authenticated.
      void checkSoon([stream]);
      return {
        async confirm() {
          while (streams.has(stream) && clock.now() - stream.checkedAt >= freshMs)
            await (stream.running ?? check([stream]));
        },
        stop() {
          streams.delete(stream);
          if (streams.size > 0) return;
          unwatch();
          stopChecks();
        },
      };
    },
  };
}

function nameOf(key: Key): string {
  return JSON.stringify(key);
}
