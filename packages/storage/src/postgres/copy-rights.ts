/**
 * Returns SQL that gives the roles with a right on a table the rights to read and write a new one. Without it, processes with a
 * role of their own would fail between a migration and the grants of the operator.
 *
 * `SCHEMA` stands for the name of the schema.
 */
export function copyRights({ from, right, to }: Readonly<Record<"from" | "right" | "to", string>>): string {
  return `do $$
declare
  grantee oid;
begin
  for grantee in
    select a.grantee from pg_class c, aclexplode(c.relacl) a
    where c.oid = 'SCHEMA.${from}'::regclass and a.privilege_type = upper('${right}') and a.grantee not in (0, c.relowner)
  loop
    execute format('grant select, insert, update, delete on SCHEMA.${to} to %s', grantee::regrole);
  end loop;
end $$;`;
}
