import { copyRights } from "./copy-rights.ts";

/** Of the versions before 4. */
const advisoryLocks = `  foreach partition_number in array locks loop
    perform pg_advisory_xact_lock(hashtext('SCHEMA'), partition_number);
  end loop;
`;

/** A locked row shows what was committed before, because each later statement has a new snapshot. */
const rowLocks = `  select count(*), max(l.advisory_until) into locked, advisory_until from (
    select p.advisory_until from SCHEMA.partitions p where p.number = any (locks) order by p.number for update
  ) l;
  if locked < array_length(locks, 1) then
    raise exception 'rows of the table SCHEMA.partitions are missing' using errcode = '42704';
  end if;
  if clock_timestamp() < advisory_until then
    foreach partition_number in array locks loop
      perform pg_advisory_xact_lock(hashtext('SCHEMA'), partition_number);
    end loop;
  end if;
`;

const applyCommits = ({
  create,
  variables,
  locking,
}: Readonly<
  Record<"create" | "variables" | "locking", string>
>): string => `-- Applies commits in one transaction. No two commits of a step write the same key, and none reads a key that an earlier
-- one of its step writes. So each step needs only a few statements.
--   locks: the partitions, ascending, so that two transactions cannot wait for each other
--   data: all keys and texts, end to end
--   steps: for each step the ends of its checks and mutations, and its work: 1 sums, 2 sets, 4 deletes, 8 one by one
--   checks: commit, key at, key length, text at, text length (-1: absent)
--   mutations: commit, kind, key at, key length, text at, text length; their amounts and expiries are separate
--   kinds: 1 set, 2 set with expires_at, 3 set with expires_in, 4 delete, 5 sum, 6 sum with expires_at
-- Returns commit, kind and index of each rejection: 1 a check failed, 2 not an integer, 3 out of range.
${create} SCHEMA.apply_commits(
  given_time float8, locks int[], data bytea, steps int[], checks int[], mutations int[],
  amounts bigint[], expiries float8[], channel text, sender text, notify_commits int[], notify_keys text[]
) returns int[] language plpgsql volatile as $$
declare
  now_ms float8;
  refused int[] := '{}';
  results int[] := '{}';
${variables}  first_check int := 0;
  end_check int;
  first_mutation int := 0;
  end_mutation int;
  work int;
  hit record;
  notified text;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the store needs the isolation level read committed' using errcode = '25001';
  end if;
${locking}  now_ms := SCHEMA.store_time(given_time);
  for step in 0 .. coalesce(array_length(steps, 1), 0) / 3 - 1 loop
    end_check := steps[step * 3 + 1];
    end_mutation := steps[step * 3 + 2];
    work := steps[step * 3 + 3];

    if end_check > first_check then
      for hit in
        select c.commit, min(c.place) as place from (
          select checks[i * 5 + 1] as commit, i as place, checks[i * 5 + 5] as size,
            substring(data from checks[i * 5 + 4] + 1 for greatest(checks[i * 5 + 5], 0)) as expected,
            (select r.value from SCHEMA.rows r
             where r.key = substring(data from checks[i * 5 + 2] + 1 for checks[i * 5 + 3])
               and (r.expires_at is null or r.expires_at > now_ms)) as value
          from generate_series(first_check, end_check - 1) i
        ) c
        where case when c.size < 0 then c.value is not null else c.value is distinct from c.expected end
        group by c.commit
      loop
        refused := refused || hit.commit;
        results := results || array[hit.commit, 1, hit.place];
      end loop;
    end if;

    if work & 8 > 0 then
      if not mutations[first_mutation * 6 + 1] = any (refused) then
        select * into hit from SCHEMA.apply_in_order(
          now_ms, data, mutations, amounts, expiries, first_mutation, end_mutation);
        if hit.kind > 0 then
          refused := refused || mutations[first_mutation * 6 + 1];
          results := results || array[mutations[first_mutation * 6 + 1], hit.kind, hit.place];
        end if;
      end if;
    else
      if work & 1 > 0 then
        for hit in
          select distinct on (s.commit) s.commit, s.place, s.kind from (
            select mutations[i * 6 + 1] as commit, i as place, SCHEMA.sum_error(r.value, amounts[i + 1]) as kind
            from generate_series(first_mutation, end_mutation - 1) i
            join SCHEMA.rows r on r.key = substring(data from mutations[i * 6 + 3] + 1 for mutations[i * 6 + 4])
              and (r.expires_at is null or r.expires_at > now_ms)
            where mutations[i * 6 + 2] in (5, 6)
          ) s
          where s.kind > 0 and not s.commit = any (refused)
          order by s.commit, s.place
        loop
          refused := refused || hit.commit;
          results := results || array[hit.commit, hit.kind, hit.place];
        end loop;
        insert into SCHEMA.rows (key, value, expires_at)
          select s.key, (coalesce(encode(r.value, 'escape')::bigint, 0) + s.amount)::text::bytea,
            case when s.kind = 6 then s.expires_at else r.expires_at end
          from (
            select mutations[i * 6 + 2] as kind, amounts[i + 1] as amount, expiries[i + 1] as expires_at,
              substring(data from mutations[i * 6 + 3] + 1 for mutations[i * 6 + 4]) as key
            from generate_series(first_mutation, end_mutation - 1) i
            where mutations[i * 6 + 2] in (5, 6) and not mutations[i * 6 + 1] = any (refused)
          ) s
          left join SCHEMA.rows r on r.key = s.key and (r.expires_at is null or r.expires_at > now_ms)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at;
      end if;
      if work & 2 > 0 then
        insert into SCHEMA.rows (key, value, expires_at)
          select substring(data from mutations[i * 6 + 3] + 1 for mutations[i * 6 + 4]),
            substring(data from mutations[i * 6 + 5] + 1 for mutations[i * 6 + 6]),
            case mutations[i * 6 + 2] when 3 then now_ms + expiries[i + 1] else expiries[i + 1] end
          from generate_series(first_mutation, end_mutation - 1) i
          where mutations[i * 6 + 2] <= 3 and not mutations[i * 6 + 1] = any (refused)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at;
      end if;
      if work & 4 > 0 then
        delete from SCHEMA.rows where key = any (array(
          select substring(data from mutations[i * 6 + 3] + 1 for mutations[i * 6 + 4])
          from generate_series(first_mutation, end_mutation - 1) i
          where mutations[i * 6 + 2] = 4 and not mutations[i * 6 + 1] = any (refused)));
      end if;
    end if;
    first_check := end_check;
    first_mutation := end_mutation;
  end loop;

  if array_length(notify_commits, 1) > 0 then
    select string_agg(n.keys, ',') into notified from unnest(notify_commits, notify_keys) as n (commit, keys)
    where not n.commit = any (refused);
    if notified is not null then
      -- PostgreSQL refuses payloads of 8,000 bytes. Without keys the message means: anything may be new.
      perform pg_notify(channel, case when octet_length(notified) < 7900
        then sender || ' [' || notified || ']' else sender end);
    end if;
  end if;
  return results;
end $$;

`;

/**
 * The tables and functions, in the order of their versions. A released entry never changes: processes of an older and a
 * newer version may share the schema.
 *
 * `SCHEMA` stands for the name of the schema.
 */
const migrations: readonly string[] = [
  String.raw`
-- Rows are rewritten all day: free space in the pages keeps updates off the index, and the vacuum must not fall behind.
create table SCHEMA.rows (
  key bytea primary key,
  value bytea not null,
  expires_at float8
) with (
  fillfactor = 80,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0,
  toast.autovacuum_vacuum_threshold = 1000,
  toast.autovacuum_vacuum_scale_factor = 0.02,
  toast.autovacuum_vacuum_cost_delay = 0
);
create index rows_expires_at on SCHEMA.rows (expires_at) where expires_at is not null;

-- Milliseconds since the epoch. Tests pass their own time.
create function SCHEMA.store_time(given float8) returns float8 language sql volatile as $$
  select coalesce(given, floor(extract(epoch from clock_timestamp())::float8 * 1000))
$$;

create function SCHEMA.read_rows(given_time float8, data bytea, starts int[], lengths int[])
returns table (place int, row_value text) language plpgsql stable as $$
declare
  now_ms float8 := SCHEMA.store_time(given_time);
begin
  return query
    select k.place::int, encode(r.value, 'hex')
    from unnest(starts, lengths) with ordinality as k (start, length, place)
    join SCHEMA.rows r on r.key = substring(data from k.start + 1 for k.length)
    where r.expires_at is null or r.expires_at > now_ms;
end $$;

create function SCHEMA.list_rows(given_time float8, from_key bytea, to_key bytea, max_rows int, is_reverse boolean)
returns table (row_key text, row_value text) language plpgsql stable as $$
declare
  now_ms float8 := SCHEMA.store_time(given_time);
begin
  if is_reverse then
    return query
      select encode(r.key, 'hex'), encode(r.value, 'hex') from SCHEMA.rows r
      where r.key >= from_key and r.key < to_key and (r.expires_at is null or r.expires_at > now_ms)
      order by r.key desc limit max_rows;
  else
    return query
      select encode(r.key, 'hex'), encode(r.value, 'hex') from SCHEMA.rows r
      where r.key >= from_key and r.key < to_key and (r.expires_at is null or r.expires_at > now_ms)
      order by r.key limit max_rows;
  end if;
end $$;

-- Returns the beginning of a key with this many parts after the position, or null if it has fewer.
-- A number takes 8 bytes. A string ends at the first 00 without a following FF.
create function SCHEMA.group_of(key bytea, start int, parts int) returns bytea language plpgsql immutable as $$
declare
  at int := start;
  size int := octet_length(key);
begin
  for part in 1..parts loop
    if at >= size then return null; end if;
    if get_byte(key, at) = 1 then
      at := at + 8;
    else
      at := at + 1;
      loop
        at := at + position('\x00'::bytea in substring(key from at + 1));
        exit when at >= size or get_byte(key, at) <> 255;
        at := at + 1;
      end loop;
    end if;
  end loop;
  return substring(key from 1 for at);
end $$;

-- A loose index scan: one seek for each group. All see the same moment, because the function is stable.
create function SCHEMA.list_groups(
  given_time float8, from_key bytea, to_key bytea, max_rows int, is_reverse boolean, prefix_length int, parts int
) returns table (row_key text, row_value text) language plpgsql stable as $$
declare
  now_ms float8 := SCHEMA.store_time(given_time);
  found_key bytea;
  found_value bytea;
  group_key bytea;
begin
  for i in 1..max_rows loop
    exit when from_key >= to_key;
    if is_reverse then
      select r.key, r.value into found_key, found_value from SCHEMA.rows r
      where r.key >= from_key and r.key < to_key and (r.expires_at is null or r.expires_at > now_ms)
      order by r.key desc limit 1;
    else
      select r.key, r.value into found_key, found_value from SCHEMA.rows r
      where r.key >= from_key and r.key < to_key and (r.expires_at is null or r.expires_at > now_ms)
      order by r.key limit 1;
    end if;
    exit when found_key is null;
    row_key := encode(found_key, 'hex');
    row_value := encode(found_value, 'hex');
    return next;
    group_key := SCHEMA.group_of(found_key, prefix_length, parts);
    if is_reverse then
      to_key := coalesce(group_key, found_key);
    else
      from_key := coalesce(group_key || '\x03'::bytea, found_key || '\x00'::bytea);
    end if;
  end loop;
end $$;

${applyCommits({
  create: "create function",
  variables: "  partition_number int;\n",
  locking: advisoryLocks,
})}-- 0: the sum is valid, 2: the text is not an integer, 3: the sum is not a safe integer.
create function SCHEMA.sum_error(value bytea, amount bigint) returns int language plpgsql immutable as $$
declare
  total bigint;
begin
  if octet_length(value) > 17 or encode(value, 'escape') !~ '^(0|-?[1-9][0-9]{0,15})$' then return 2; end if;
  total := encode(value, 'escape')::bigint;
  if total not between -9007199254740991 and 9007199254740991 then return 2; end if;
  if total + amount not between -9007199254740991 and 9007199254740991 then return 3; end if;
  return 0;
end $$;

-- For a commit that writes a key several times, one of them a sum. An invalid sum undoes the whole commit.
create function SCHEMA.apply_in_order(
  now_ms float8, data bytea, mutations int[], amounts bigint[], expiries float8[], first int, behind int,
  out kind int, out place int
) language plpgsql volatile as $$
declare
  row_key bytea;
  current_value bytea;
  current_expiry float8;
begin
  kind := 0;
  place := first;
  for i in first .. behind - 1 loop
    place := i;
    row_key := substring(data from mutations[i * 6 + 3] + 1 for mutations[i * 6 + 4]);
    if mutations[i * 6 + 2] = 4 then
      delete from SCHEMA.rows r where r.key = row_key;
    else
      current_expiry := expiries[i + 1];
      if mutations[i * 6 + 2] = 3 then current_expiry := now_ms + current_expiry; end if;
      if mutations[i * 6 + 2] <= 3 then
        current_value := substring(data from mutations[i * 6 + 5] + 1 for mutations[i * 6 + 6]);
      else
        select r.value, case when mutations[i * 6 + 2] = 6 then current_expiry else r.expires_at end
        into current_value, current_expiry
        from SCHEMA.rows r where r.key = row_key and (r.expires_at is null or r.expires_at > now_ms);
        if not found then
          current_value := '0'::bytea;
          if mutations[i * 6 + 2] = 6 then current_expiry := expiries[i + 1]; end if;
        end if;
        kind := SCHEMA.sum_error(current_value, amounts[i + 1]);
        if kind > 0 then raise exception 'invalid sum' using errcode = 'HW001'; end if;
        current_value := (encode(current_value, 'escape')::bigint + amounts[i + 1])::text::bytea;
      end if;
      insert into SCHEMA.rows (key, value, expires_at) values (row_key, current_value, current_expiry)
      on conflict on constraint rows_pkey do update set value = excluded.value, expires_at = excluded.expires_at;
    end if;
  end loop;
exception when sqlstate 'HW001' then
  -- The block was rolled back. The variables keep their values.
  return;
end $$;

-- Rows that a commit holds are skipped. A later sweep removes them.
create function SCHEMA.sweep_rows(given_time float8, max_rows int) returns int language plpgsql volatile as $$
declare
  now_ms float8 := SCHEMA.store_time(given_time);
  removed int;
begin
  delete from SCHEMA.rows where key = any (array(
    select r.key from SCHEMA.rows r where r.expires_at <= now_ms
    order by r.expires_at limit max_rows for update skip locked));
  get diagnostics removed = row_count;
  return removed;
end $$;
`,
  String.raw`
-- apply_commits for commits that take rows of the outbox. Rows of the outbox are locked before partitions, so two
-- transactions cannot wait for each other.
--   take_commits, take_ids: each taken row with its commit
-- If rows are gone or locked by somebody else, nothing is applied: it then returns commit, kind 4 and 0 for each commit
-- that misses one.
create function SCHEMA.apply_and_take(
  given_time float8, locks int[], data bytea, steps int[], checks int[], mutations int[],
  amounts bigint[], expiries float8[], channel text, sender text, notify_commits int[], notify_keys text[],
  take_commits int[], take_ids bigint[]
) returns int[] language plpgsql volatile as $$
declare
  results int[];
  locked bigint[];
begin
  -- A row that somebody else has locked must not make the other commits wait.
  locked := array(select o.id from SCHEMA.outbox o where o.id = any (take_ids) order by o.id for update skip locked);
  -- A second commit cannot take the same row.
  select array_agg(n.number order by m.commit, n.place) into results
  from (
    select distinct t.commit from (
      select u.commit, u.id, min(u.commit) over (partition by u.id) as first_commit
      from unnest(take_commits, take_ids) as u (commit, id)
    ) t
    where t.first_commit < t.commit or t.id <> all (locked)
  ) m, unnest(array[m.commit, 4, 0]) with ordinality as n (number, place);
  if results is not null then return results; end if;
  results := SCHEMA.apply_commits(given_time, locks, data, steps, checks, mutations, amounts, expiries,
    channel, sender, notify_commits, notify_keys);
  delete from SCHEMA.outbox where id = any (array(
    select t.id from unnest(take_commits, take_ids) as t (commit, id)
    where not exists (
      select from generate_series(1, coalesce(array_length(results, 1), 0), 3) i where results[i] = t.commit)));
  return results;
end $$;
`,
  String.raw`
-- With settings of its own, a function in SQL is not inlined, and slower than this.
create or replace function SCHEMA.store_time(given float8) returns float8 language plpgsql volatile as $$
begin
  return coalesce(given, floor(extract(epoch from clock_timestamp())::float8 * 1000));
end $$;
`,
  String.raw`
-- Any role may take an advisory lock. Only a role with rights on this table can lock its rows.
create table SCHEMA.partitions (
  number int primary key,
  -- Until then commits of the functions before this version may be in flight. Null in a new schema.
  advisory_until timestamptz
);
insert into SCHEMA.partitions (number, advisory_until)
  select n, (select clock_timestamp() + interval '5 minutes' from SCHEMA.migrations where applied_at < now() limit 1)
  from generate_series(0, 63) n;
${copyRights({ from: "rows", right: "update", to: "partitions" })}
${applyCommits({
  create: "create or replace function",
  variables: "  locked int;\n  advisory_until timestamptz;\n  partition_number int;\n",
  locking: rowLocks,
})}`,
];

/** The functions of the store. */
const storeFunctions = [
  "store_time",
  "read_rows",
  "list_rows",
  "group_of",
  "list_groups",
  "apply_commits",
  "sum_error",
  "apply_in_order",
  "sweep_rows",
  "apply_and_take",
];

/** All functions that a schema may have, with that of the outbox. */
export const functionNames: readonly string[] = [...storeFunctions, "notify_outbox"];

/** A schema that a caller has put first must not replace the functions and operators that ours use. */
const searchPath = storeFunctions
  .map((name) => `alter function SCHEMA.${name} set search_path = pg_catalog, pg_temp;`)
  .join("\n");

/**
 * The planner must not choose a plan by the size that the table had when the plan was cached: a scan of the whole table is
 * cheap only while it is small.
 */
const plannerSettings = [
  "read_rows",
  "list_rows",
  "list_groups",
  "apply_commits",
  "apply_in_order",
  "apply_and_take",
  "sweep_rows",
]
  .flatMap((name) =>
    [
      "enable_seqscan = off",
      "enable_bitmapscan = off",
      "enable_hashjoin = off",
      "enable_mergejoin = off",
      "jit = off",
      "plan_cache_mode = force_generic_plan",
    ].map((setting) => `alter function SCHEMA.${name} set ${setting};`),
  )
  .join("\n");

/** A commit that waits longer for another transaction of its partition has written nothing, and says so. */
const lockTimeout = ["apply_commits", "apply_and_take"]
  .map((name) => `alter function SCHEMA.${name} set lock_timeout = '2500ms';`)
  .join("\n");

/** The version of the schema that this program needs. */
export const schemaVersion = migrations.length;

/** Returns the SQL that brings a schema from a version to {@link schemaVersion}. Version 0 has no tables. */
export function migrationSql(schema: string, fromVersion: number): string {
  const start =
    fromVersion === 0
      ? [
          "create table SCHEMA.migrations (version int primary key, applied_at timestamptz not null default now());",
        ]
      : [];
  const steps = migrations
    .slice(fromVersion)
    .map(
      (migration, index) =>
        `${migration}\ninsert into SCHEMA.migrations (version) values (${fromVersion + index + 1});`,
    );
  return [...start, ...steps, searchPath, plannerSettings, lockTimeout]
    .join("\n")
    .replaceAll("SCHEMA", schema);
}
