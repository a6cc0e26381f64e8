import { setTimeout as delay } from "node:timers/promises";
import type { OutboxState } from "@hookwright/storage";
import {
  openPostgresOutbox,
  readPostgresOutboxMigrationSql,
  readPostgresOutboxState,
} from "@hookwright/storage/postgres";
import type { Settings } from "../options/read-settings.ts";
import { hidePassword } from "@hookwright/cli";
import { failed, ok, skipped } from "./check.ts";
import type { Finding } from "./check.ts";
import { wouldChangeTables } from "./tables-to-create.ts";

/** A relay takes an event within milliseconds. */
const longestSeconds = 30;
const againAfterMs = 2_000;

/**
 * Looks for events that wait in the outboxes of the storage and of `--outbox`.
 *
 * @throws {StorageError} as a server at its start
 */
export async function checkOutboxes({
  storage,
  outbox,
}: Pick<Settings, "storage" | "outbox">): Promise<Finding> {
  if (outbox !== undefined) await openUnlessChanged(outbox);
  const urls = [storage.type === "postgres" ? storage.url : undefined, outbox].filter(
    (url) => url !== undefined,
  );
  if (urls.length === 0)
    return skipped("there is no outbox: the storage is not PostgreSQL, and --outbox is not set");
  const findings = await Promise.all([...new Set(urls)].map(checkOutbox));
  return (
    findings.find(({ status }) => status === "failed") ??
    findings.find(({ status }) => status === "ok") ??
    findings[0] ??
    skipped("there is no outbox")
  );
}

/** Opens the outbox as a server does, unless that would create or migrate tables. */
async function openUnlessChanged(url: string): Promise<void> {
  if (await wouldChangeTables(url, () => readPostgresOutboxMigrationSql({ url }))) return;
  await (await openPostgresOutbox({ url })).close();
}

async function checkOutbox(url: string): Promise<Finding> {
  const name = hidePassword(url);
  const first = await readPostgresOutboxState({ url });
  if (first === undefined)
    return skipped(`${name} has no outbox yet. A server creates it at its first start`);
  if (first.oldest === undefined) return ok(`${name}: no event waits in the outbox; ${describeRelay(first)}`);
  const age = `the oldest event has waited for ${Math.round(first.oldest.seconds)} s`;
  if (first.oldest.seconds < longestSeconds) return ok(`${name}: ${age}; ${describeRelay(first)}`);
  // Of a long backlog the first row changes, and a long transaction commits rows that are old.
  await delay(againAfterMs);
  const second = await readPostgresOutboxState({ url });
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
