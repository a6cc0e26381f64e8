import { auditActions } from "@hookwright/domain";
import type { AuditEntry, ListedAuditEntry } from "@hookwright/domain";
import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import type { Query } from "../../api/console-api.ts";
import type { Column } from "../../parts/data-table.tsx";
import { Choice } from "../../parts/fields.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago } from "../../parts/time.tsx";
import { periodNames } from "../../state/console-context.ts";
import { withTimes } from "../../state/ledger.ts";
import { replaceQuery } from "../../state/route.ts";
import { usePages } from "../../state/use-pages.ts";
import { actorNames, describe, describeActor, nameOf } from "./describe-change.ts";

export interface AuditTableProps {
  readonly path: "console/api/audit" | "host/v1/audit";
  readonly query: Readonly<Record<string, string>>;
  /** A column before the time. */
  readonly account?: Column<Entry>;
  /** True while `showTarget` and `showActor` do not know the names yet. @default false */
  readonly isWaiting?: boolean;
  /** @default the id */
  readonly showTarget?: Column<AuditEntry>["cell"];
  /** Further filters. */
  readonly filters?: ComponentChildren;
  /** @default as `describeActor` */
  readonly showActor?: (actor: AuditEntry["actor"]) => string;
}

/** Only the log of all accounts has names of accounts. */
type Entry = AuditEntry & Partial<Pick<ListedAuditEntry, "account_name">>;

const showId: Column<AuditEntry>["cell"] = ({ target }) =>
  target.id === null ? null : <code>{target.id}</code>;

/** What happened, newest first: who changed what, and what the server did by itself. */
export function AuditTable({
  path,
  query,
  account,
  filters: furtherFilters,
  isWaiting = false,
  showTarget = showId,
  showActor = describeActor,
}: AuditTableProps) {
  const { action, account_id, actor, in: period } = query;
  // The time is another one whenever the list is loaded.
  const name = JSON.stringify([action, account_id, actor, period]);
  const filters = { limit: "50", account_id, ...toAuditQuery(query) };
  const pages = usePages<Entry>(path, filters, undefined, name);
  return (
    <>
      <div class="filter-line">
        <Choice
          label="Change"
          value={action}
          onChoose={(value) => replaceQuery({ action: value })}
          choices={auditActions.map((each) => [each, nameOf(each)])}
        />
        <Choice
          label="Who"
          value={actor}
          onChoose={(value) => replaceQuery({ actor: value })}
          choices={Object.entries(actorNames)}
        />
        <Choice
          label="Time"
          value={period}
          onChoose={(value) => replaceQuery({ in: value })}
          choices={Object.entries(periodNames).map(([name, text]) => [name, `In ${text}`])}
        />
      </div>
      {furtherFilters === undefined ? null : <div class="filter-line">{furtherFilters}</div>}
      <PagedTable
        caption="What happened, newest first"
        columns={[
          {
            name: "What happened",
            kind: "text",
            place: "title",
            cell: (entry) => <Sentence entry={entry} {...{ showTarget, showActor }} />,
          },
          ...(account === undefined ? [] : [account]),
          { name: "Time", place: "mark", cell: ({ at }) => <Ago at={at} /> },
        ]}
        pages={isWaiting ? { ...pages, rows: undefined } : pages}
        readOnly
        empty={<p>Nothing.</p>}
      />
    </>
  );
}

/** The filters of the address, as the API takes them. */
export function toAuditQuery({ action, actor, in: period }: AuditTableProps["query"]): Query {
  return { action, actor, since: period ? withTimes({ period })["since"] : undefined };
}

interface SentenceProps extends Required<Pick<AuditTableProps, "showTarget" | "showActor">> {
  readonly entry: AuditEntry;
}

function Sentence({ entry, showTarget, showActor }: SentenceProps) {
  const parts = describe(entry.action).split(/(\{who\}|\{what\})/u);
  return (
    <span class="sentence">
      {parts.map((part) =>
        part === "{who}" ? <bdi>{showActor(entry.actor)}</bdi> : part === "{what}" ? showTarget(entry) : part,
      )}
      {entry.changed.length === 0 ? null : <Changes of={entry} />}
    </span>
  );
}

/** The changed fields, with their old and new values where the log has them. */
function Changes({ of: { changed, changes } }: { readonly of: AuditEntry }) {
  const isShown = (field: string): boolean => changes.some((each) => each.field.split(".", 1)[0] === field);
  const named = changed.filter((field) => !isShown(field)).map((field) => ({ field, old: null, new: null }));
  return (
    <span class="quiet">
      {[...changes, ...named].map(({ field, old, new: now }, index) => (
        <Fragment key={field}>
          {index === 0 ? " " : ", "}
          {field.replaceAll("_", " ")}
          {old === null && now === null ? null : (
            <>
              : {old === null ? null : <bdi>{old}</bdi>}
              {old === null ? null : " → "}
              <bdi>{now ?? "none"}</bdi>
            </>
          )}
        </Fragment>
      ))}
    </span>
  );
}
