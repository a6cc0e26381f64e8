import { StorageError } from "../storage-error.ts";
import { functionNames } from "./schema.ts";
import type { Row } from "./statement.ts";

const tableNames = [
  "migrations",
  "rows",
  "partitions",
  "outbox",
  "outbox_migrations",
  "outbox_rejected",
  "outbox_relay",
];

/**
 * Refuses a schema in which somebody else may create functions: they could replace those of the store, and run with the rights
 * of its role. Trusted are the role itself, superusers, and the owners of the schema and of the database.
 *
 * @throws {StorageError} `unavailable`
 */
export async function refuseUnsafeSchema(
  read: (text: string) => Promise<readonly Row[]>,
  { schema, serverAddress }: { readonly schema: string; readonly serverAddress: string },
): Promise<void> {
  const [[problem] = []] = await read(findProblem(schema));
  if (problem === undefined || problem === null) return;
  throw new StorageError(
    "unavailable",
    `The schema ${schema} in PostgreSQL at ${serverAddress} is not safe: ${problem}. Functions of another role there could run with the rights of this one. Nothing was changed. Or use another schema.`,
    { reason: "permission_denied" },
  );
}

function findProblem(schema: string): string {
  return `with space as (
      select n.oid, n.nspowner, n.nspacl from pg_catalog.pg_namespace n where n.nspname = '${schema}'
    ), trusted as (
      select r.oid from pg_catalog.pg_roles r where r.rolsuper or r.rolname in (current_user, 'pg_database_owner')
        or r.oid = (select s.nspowner from space s)
        or r.oid = (select d.datdba from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
    ), objects as (
      select 'table' as kind, c.relname::text as name, c.relowner as owner
      from pg_catalog.pg_class c join space s on s.oid = c.relnamespace where c.relname in (${toList(tableNames)})
      union all select 'function', p.proname::text, p.proowner
      from pg_catalog.pg_proc p join space s on s.oid = p.pronamespace where p.proname in (${toList(functionNames)})
    )
    select problem from (
      select case when a.grantee = 0::oid then 'every role' else 'the role ' || pg_catalog.pg_get_userbyid(a.grantee)::text end
        || ' may create objects in it. Revoke that: revoke create on schema ${schema} from '
        || case when a.grantee = 0::oid then 'public' else pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(a.grantee)::text) end as problem
      from space s, pg_catalog.aclexplode(s.nspacl) a
      where a.privilege_type = 'CREATE' and a.grantee not in (select t.oid from trusted t)
      union all
      select 'its owner is the role ' || pg_catalog.pg_get_userbyid(s.nspowner)::text
        || '. If that role is yours and creates the tables, run: revoke create on schema ${schema} from ' || pg_catalog.quote_ident(current_user::text)
        || '. If this role creates them, run: alter schema ${schema} owner to ' || pg_catalog.quote_ident(current_user::text)
      from space s
      where pg_catalog.has_schema_privilege(s.oid, 'create') and s.nspowner <> (select r.oid from pg_catalog.pg_roles r where r.rolname = current_user)
        and not pg_catalog.pg_has_role(s.nspowner, 'member')
        and not exists (select from pg_catalog.pg_roles r where r.oid = s.nspowner and (r.rolsuper or r.rolname = 'pg_database_owner'))
        and s.nspowner <> (select d.datdba from pg_catalog.pg_database d where d.datname = pg_catalog.current_database())
      union all
      select 'its ' || o.kind || ' ' || o.name || ' belongs to the role ' || pg_catalog.pg_get_userbyid(o.owner)::text
        || '. If that role is yours, run: alter ' || o.kind || ' ${schema}.' || o.name || ' owner to '
        || pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(s.nspowner)::text) || '. If not, drop the ' || o.kind
      from space s, objects o where o.owner not in (select t.oid from trusted t)
    ) found limit 1`;
}

const toList = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");
