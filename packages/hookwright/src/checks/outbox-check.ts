import { setTimeout as delay } from "node:timers/promises";
import { hidePassword } from "@hookwright/domain";
import type { OutboxState, Store } from "@hookwright/storage";
import type { OutboxOptions } from "../options/options.ts";
import { failed, findStorageError, ok, skipped } from "./check.ts";
import type { CheckFinding } from "./check.ts";

/** A relay takes an event within milliseconds. */
const longestSeconds = 30;
const againAfterMs = 2_000;

interface OutboxReader {
  readonly name: string;
  /** Undefined: there is no outbox yet. */
  readonly read: () => Promise<OutboxState | undefined>;
}

/**
 * Looks for events that wait in the outboxes of the storage and of the option.
 *
 * @throws {StorageError} as `createHookwright`
 */
export async function checkOutboxes(options: {
  /** Undefined: the storage cannot be used. */
  readonly store: Store | undefined;
  readonly given: OutboxOptions | undefined;
  /** What messages call the storage, and the option. */
  readonly names: { readonly store: string; readonly outbox: string };
}): Promise<CheckFinding> {
  const { store, given, names } = options;
  const ofOption = given === undefined ? undefined : await openReader(given, store);
  const ofStore = store?.outbox;
  const readers: readonly OutboxReader[] = [
    ...(ofStore === undefined ? [] : [{ name: names.store, read: () => ofStore.readState() }]),
    ...(ofOption === undefined ? [] : [ofOption]),
  ];
  if (readers.length === 0)
    return skipped(`there is no outbox: the storage is not PostgreSQL, and ${names.outbox} is not set`);
  const findings = await Promise.all(readers.map(checkOutbox));
  return (
    findings.find(({ status }) => status === "failed") ??
    findings.find(({ status }) => status === "ok") ??
    findings[0] ??
    skipped("there is no outbox")
  );
}

/** Opens the outbox as at a start, unless that would create or migrate tables. Undefined: it is that of the store. */
async function openReader(given: OutboxOptions, store: Store | undefined): Promise<OutboxReader | undefined> {
  if (!("url" in given || "pool" in given)) return undefined;
  // Loaded only when it is needed.
  const { openPostgresOutbox, readPostgresOutboxState } = await import("@hookwright/storage/postgres");
  const { identity } = await openPostgresOutbox({ ...given, migrate: false }).then(
    async (outbox) => {
      await outbox.close();
      return outbox;
    },
    (error: unknown) => {
      if (findStorageError(error)?.code === "migration_pending") return { identity: undefined };
      throw error;
    },
  );
  if (identity !== undefined && identity === store?.outbox?.identity) return undefined;
  const name = "url" in given ? hidePassword(given.url) : "the outbox";
  return { name, read: () => readPostgresOutboxState(given) };
}

async function checkOutbox({ name, read }: OutboxReader): Promise<CheckFinding> {
  const first = await read();
  if (first === undefined)
    return skipped(`${name} has no outbox yet. A server creates it at its first start`);
  if (first.oldest === undefined) return ok(`${name}: no event waits in the outbox; ${describeRelay(first)}`);
  const age = `the oldest event has waited for ${Math.round(first.oldest.seconds)} s`;
  if (first.oldest.seconds < longestSeconds) return ok(`${name}: ${age}; ${describeRelay(first)}`);
  // Of a long backlog the first row changes, and a long transaction commits rows that are old.
  await delay(againAfterMs);
  const second = await read();
  if (second?.oldest?.id !== first.oldest.id)
    return ok(`${name}: events are published; ${describeRelay(first)}`);
  return failed(
    `${name}: ${age} (id ${first.oldest.id}) and is not published; ${describeRelay(second)}`,
    second.relay === undefined
      ? "Start a process with the role all or worker. If one runs, its log line outbox_unavailable says why it does not relay."
      : `Read outbox_stuck in the log of that process. If it hangs, end its session: select pg_terminate_backend(${second.relay.session}).`,
  );
}

function describeRelay({ relay }: OutboxState): string {
  if (relay === undefined) return "no process relays now";
  const named = [relay.program, relay.address].filter((each) => each !== undefined && each !== "").join(", ");
  return `session ${relay.session} relays${named === "" ? "" : ` (${named})`}`;
}
