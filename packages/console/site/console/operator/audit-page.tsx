import { ExportMenu } from "../parts/export-menu.tsx";
import { SearchField } from "../parts/fields.tsx";
import { ScreenHeader } from "../parts/page.tsx";
import { AuditTable, toAuditQuery } from "../screens/activity/audit-table.tsx";
import { actorNames } from "../screens/activity/describe-change.ts";
import { hrefTo, replaceQuery } from "../state/route.ts";

export interface AuditPageProps {
  readonly query: Readonly<Record<string, string>>;
}

/** Who changed what, over all accounts or on one. */
export function AuditPage({ query }: AuditPageProps) {
  const { account_id: accountId, actor = "" } = query;
  return (
    <>
      <ScreenHeader tab="Audit log" title={accountId ? `Audit log of ${accountId}` : "Audit log"}>
        <AuditExport query={query} />
      </ScreenHeader>
      {accountId ? (
        <p>
          <a href={hrefTo(["operator", "audit"])}>All accounts</a>
        </p>
      ) : null}
      <AuditTable
        path="host/v1/audit"
        query={query}
        filters={
          <>
            <SearchField
              label="Account id"
              text={accountId ?? ""}
              onSearch={(text) => replaceQuery({ account_id: text })}
            />
            <SearchField
              label="Id or name of who"
              isMain={false}
              text={actor in actorNames ? "" : actor}
              onSearch={(text) => replaceQuery({ actor: text })}
            />
          </>
        }
        account={{
          name: "Account",
          kind: "name",
          place: "detail",
          cell: ({ account_id, account_name }) =>
            account_id === null ? null : (
              <a href={hrefTo(["operator", "accounts", account_id])} title={account_id}>
                <bdi>{account_name ?? account_id}</bdi>
              </a>
            ),
        }}
      />
    </>
  );
}

/** Saves all entries that the filters of the address match. */
export function AuditExport({ query }: AuditPageProps) {
  return (
    <ExportMenu
      path="host/v1/audit/export"
      name="audit"
      query={{ account_id: query["account_id"], ...toAuditQuery(query) }}
    />
  );
}
