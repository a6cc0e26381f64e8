import { randomUUID } from "node:crypto";
import { closedError } from "./commit/refusals.ts";
import { createSweepTimer, sweepWindow } from "./commit/sweep-timer.ts";
import type { Outbox, Store } from "./port.ts";
import { createCommitGroups } from "./postgres/commit-groups.ts";
import { connect, timeoutMs, type PostgresSource } from "./postgres/connect.ts";
import { migrate, partsOfOutbox, partsOfStore } from "./postgres/migrate.ts";
import { createNotificationChannel } from "./postgres/notification-channel.ts";
import { toNotificationText } from "./postgres/notification-text.ts";
import { createOutbox } from "./postgres/outbox.ts";
import { createReads } from "./postgres/reads.ts";
import { readServerFacts } from "./postgres/server-facts.ts";

export {
  migratePostgresOutbox,
  migratePostgresStore,
  postgresMigrationSql,
  postgresOutboxMigrationSql,
  readPostgresMigrationSql,
  readPostgresOutboxMigrationSql,
} from "./postgres/migrate-store.ts";
export { readPostgresOutboxState } from "./postgres/outbox-state.ts";
export type { PostgresPool, PostgresSource } from "./postgres/connect.ts";
export { parsePostgresUrl, type PostgresAddress } from "./postgres/postgres-url.ts";

/**
 * Opens a store in PostgreSQL 14 or newer. Any number of processes on any number of machines may share it. Creates its
 * tables, or migrates them.
 *
 * Commits that arrive together share one transaction. A commit resolves when PostgreSQL has committed it, and is as durable
 * as `synchronous_commit` says.
 *
 * @param options.url `postgres://[user[:password]@]host[:port][,…]/database[?schema=name]`. `pg` reads the other parameters. Of
 *   several hosts, the first one that takes writes is used. `?host=/directory` names a Unix socket
 * @param options.poolSize the largest number of connections, at least 3. Not with `pool`. @default 10
 * @param options.pool instead of `url`: a `Pool` of `pg` with at least three connections. One waits for notifications, and one
 *   relays the outbox, also if other stores use the pool. The caller closes the pool
 * @param options.schema the schema of the tables. It overrides the parameter of the url. @default "hookwright"
 * @param options.now the clock of the store, ms since the epoch. It decides which entries have expired.
 *   @default the clock of the PostgreSQL server
 * @param options.sweepIntervalMs how often the store removes expired entries. They are absent at once.
 *   @default 10000
 * @param options.migrate false: tables are neither created nor migrated. @default true
 * @throws {StorageError} `missing_dependency` without the package `pg`; `migration_pending` if `migrate` is false and the tables
 *   are missing or old; `invalid_argument`, `unavailable`
 * @example
 * const store = await openPostgresStore({ url: "postgres://app:secret@127.0.0.1:5432/shop" });
 * await store.commit("p00", { mutations: [{ type: "set", key: ["p00", "greeting"], value: "hello" }] });
 */
export async function openPostgresStore(
  options: PostgresSource & {
    readonly now?: (() => number) | undefined;
    readonly sweepIntervalMs?: number | undefined;
    readonly migrate?: boolean | undefined;
  },
): Promise<Store> {
  const { sweepIntervalMs = 10_000, migrate: mayMigrate } = options;
  const now = (): number | null => options.now?.() ?? null;
  const sender = randomUUID();
  const { link, serverAddress, schema, release } = await connect(options, (name) => [
    `notifications ${sender}`,
    `relay of ${name}`,
  ]);
  let created: Awaited<ReturnType<typeof createOutbox>>;
  try {
    await migrate(link, { parts: partsOfStore, schema, serverAddress, mayMigrate });
    created = await createOutbox({ link, schema });
  } catch (error) {
    await release();
    throw error;
  }
  const channel = `${schema}_notifications`;
  const notifications = createNotificationChannel({ link, name: channel, sender, timeoutMs });
  const reads = createReads({ link, schema, now });
  const numbered = Array.from({ length: 14 }, (_, index) => `$${index + 1}`);
  const applyCommits = `select ${schema}.apply_commits(${numbered.slice(0, 12).join(", ")})`;
  const applyAndTake = `select ${schema}.apply_and_take(${numbered.join(", ")})`;
  const groups = createCommitGroups({
    async apply({ parameters }, notifying, takes) {
      const taking = takes.length === 0 ? [] : [takes.map(({ commit }) => commit), takes.map(({ id }) => id)];
      const [[rejections] = []] = await link.run(taking.length === 0 ? applyCommits : applyAndTake, [
        now(),
        ...parameters,
        channel,
        sender,
        notifying.map(({ commit }) => commit),
        notifying.map(({ keys }) => toNotificationText(keys)),
        ...taking,
      ]);
      return toNumbers(rejections);
    },
    onNotify: notifications.notifyHere,
  });
  const sweeper = createSweepTimer({ intervalMs: sweepIntervalMs, sweep });
  sweeper.start();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw closedError();
  }

  /** Also removes entries of other processes. Concurrent sweeps are harmless. */
  async function sweep(): Promise<"more" | "later"> {
    const [[removed] = []] = await link
      .run(`select ${schema}.sweep_rows($1, $2)`, [now(), sweepWindow])
      .catch(() => []);
    return Number(removed) === sweepWindow ? "more" : "later";
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      sweeper.stop();
      created.endSessions();
      await groups.settled();
      notifications.close();
      await reads.settled();
      await link.settled();
      await release();
    })();
    return closing;
  }

  return {
    name: "postgres",
    async get(key) {
      assertOpen();
      const [text] = await reads.getMany([key]);
      return text;
    },
    async getMany(keys) {
      assertOpen();
      return reads.getMany(keys);
    },
    async list(listOptions) {
      assertOpen();
      return reads.list(listOptions);
    },
    async count(countOptions) {
      assertOpen();
      return reads.count(countOptions);
    },
    async commit(partition, commit) {
      assertOpen();
      return groups.commit(partition, commit);
    },
    watch(listener) {
      assertOpen();
      return notifications.watch(listener);
    },
    readFacts: () => readServerFacts(link),
    outbox: created.outbox,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An outbox that is not in the database of the store. */
export interface OpenedOutbox extends Outbox, AsyncDisposable {
  /** Ends its sessions, waits for running statements and closes its connections. */
  close(): Promise<void>;
}

/**
 * Opens only the outbox of a PostgreSQL schema, for a store that is elsewhere. Creates its tables, or migrates them.
 *
 * @param options.url `postgres://[user[:password]@]host[:port][,…]/database[?schema=name]`
 * @param options.poolSize the largest number of connections, at least 3. Not with `pool`. @default 10
 * @param options.pool instead of `url`: a `Pool` of `pg` with at least two connections, of which one relays. The caller closes
 *   it
 * @param options.schema overrides the parameter of the url. @default "hookwright"
 * @param options.migrate false: tables are neither created nor migrated. @default true
 * @throws {StorageError} `missing_dependency` without the package `pg`; `migration_pending` if `migrate` is false and the tables
 *   are missing or old; `invalid_argument`, `unavailable`
 * @example
 * await using outbox = await openPostgresOutbox({ url: "postgres://app:secret@127.0.0.1:5432/shop" });
 * console.log(await outbox.oldestSeconds());
 */
export async function openPostgresOutbox(
  options: PostgresSource & { readonly migrate?: boolean | undefined },
): Promise<OpenedOutbox> {
  const { link, serverAddress, schema, release } = await connect(options, (name) => [`relay of ${name}`]);
  try {
    await migrate(link, { parts: partsOfOutbox, schema, serverAddress, mayMigrate: options.migrate });
    const { outbox, endSessions } = await createOutbox({ link, schema });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      endSessions();
      return (closing ??= link.settled().then(release));
    };
    return { ...outbox, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Parses an array of integers in the text format of PostgreSQL. */
function toNumbers(array: string | null | undefined): number[] {
  const text = array?.slice(1, -1) ?? "";
  return text === "" ? [] : text.split(",").map(Number);
}
