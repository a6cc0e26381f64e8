import { copyRights } from "./copy-rights.ts";

/**
 * The tables of the outbox, in the order of their versions. They are independent of the rows of a store: the outbox of a
 * store in Redis is alone in its schema. A released entry never changes.
 *
 * `SCHEMA` stands for the name of the schema.
 */
const migrations: readonly string[] = [
  String.raw`
-- To let a role publish: grant usage on schema SCHEMA to the role, and grant insert on SCHEMA.outbox to it.
-- Rows live for milliseconds: without frequent vacuums the relay would pass over many dead ones.
create table SCHEMA.outbox (
  id bigint generated always as identity primary key,
  event text not null,
  project_id text not null,
  data jsonb not null,
  created_at timestamptz not null default now()
) with (
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0,
  toast.autovacuum_vacuum_cost_delay = 0
);

create table SCHEMA.outbox_rejected (
  id bigint not null,
  event text not null,
  project_id text not null,
  data jsonb not null,
  created_at timestamptz not null,
  code text not null,
  message text not null,
  rejected_at timestamptz not null default now()
);
create index outbox_rejected_id on SCHEMA.outbox_rejected (id);

-- PostgreSQL sends one notification for each transaction, after its commit.
create function SCHEMA.notify_outbox() returns trigger language plpgsql as $$
begin
  perform pg_catalog.pg_notify('SCHEMA_outbox', '');
  return null;
end $$;
create trigger outbox_notify after insert on SCHEMA.outbox
  for each statement execute function SCHEMA.notify_outbox();
`,
  String.raw`
-- The trace of the insert, as a W3C traceparent. Null: not traced.
alter table SCHEMA.outbox add column traceparent text;
alter table SCHEMA.outbox_rejected add column traceparent text;
`,
  String.raw`
-- A publication of all tables refuses to delete rows of a table without a key. An id may come again after a restore.
alter table SCHEMA.outbox_rejected add primary key (id, rejected_at);
drop index SCHEMA.outbox_rejected_id;

-- A notification takes a lock of the whole server until the commit is on disk. So only inserts while the relay sleeps
-- notify: it then holds the lock SLEEP_LOCK. Others take and free it in one expression, so no cancel can leave it held.
create or replace function SCHEMA.notify_outbox() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_catalog.pg_notify('SCHEMA_outbox', '');
  return null;
end $$;
create or replace trigger outbox_notify after insert on SCHEMA.outbox for each statement
  when (case when pg_catalog.pg_try_advisory_lock_shared(pg_catalog.hashtext('SCHEMA'), SLEEP_LOCK)
    then not pg_catalog.pg_advisory_unlock_shared(pg_catalog.hashtext('SCHEMA'), SLEEP_LOCK) else true end)
  execute function SCHEMA.notify_outbox();
`,
  `
-- The right to relay. Any role may take an advisory lock, so it is a row that only a role with rights on the table can write.
create table SCHEMA.outbox_relay (
  id int primary key check (id = 1),
  owner uuid,
  session int,
  until timestamptz
);
insert into SCHEMA.outbox_relay (id) values (1);
${copyRights({ from: "outbox", right: "delete", to: "outbox_relay" })}`,
  String.raw`
-- The id of the event, for an event that happens more than once for a record. Null: that of the record.
alter table SCHEMA.outbox add column event_id text;
alter table SCHEMA.outbox_rejected add column event_id text;
`,
];

/** The advisory lock of a relay that sleeps. Another session that holds it delays events by up to a second. */
export const sleepLock = 1_002;

/** The version of the outbox that this program needs. */
export const outboxVersion = migrations.length;

/** Returns the SQL that brings an outbox from a version to {@link outboxVersion}. Version 0 has no tables. */
export function outboxMigrationSql(schema: string, fromVersion: number): string {
  const start =
    fromVersion === 0
      ? [
          `create table SCHEMA.outbox_migrations (
  version int primary key,
  applied_at timestamptz not null default now(),
  outbox_id uuid not null default gen_random_uuid()
);`,
        ]
      : [];
  const steps = migrations
    .slice(fromVersion)
    .map(
      (migration, index) =>
        `${migration}\ninsert into SCHEMA.outbox_migrations (version) values (${fromVersion + index + 1});`,
    );
  return [...start, ...steps]
    .join("\n")
    .replaceAll("SLEEP_LOCK", String(sleepLock))
    .replaceAll("SCHEMA", schema);
}
