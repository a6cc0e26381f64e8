import type { AuditEntry } from "@hookwright/domain";
import type { Column } from "../../parts/data-table.tsx";
import { Choice } from "../../parts/choice.tsx";
import { PagedTable } from "../../parts/paged-table.tsx";
import { Ago } from "../../parts/time.tsx";
import { usePages } from "../../state/use-pages.ts";
import { replaceQuery } from "../../state/use-route.ts";
import { actionTexts, describeActor } from "./describe-change.ts";

export interface AuditTableProps {
  readonly path: "console/api/audit" | "host/v1/audit";
  readonly query: Readonly<Record<string, string>>;
  /** A column before the actor. */
  readonly account?: Column<AuditEntry>;
  /** @default the id */
  readonly showTarget?: Column<AuditEntry>["cell"];
}

const showId: Column<AuditEntry>["cell"] = ({ target }) =>
  target.id === null ? null : <code>{target.id}</code>;

/** Who changed what, newest first. */
export function AuditTable({ path, query, account, showTarget = showId }: AuditTableProps) {
  const { action, account_id } = query;
  const pages = usePages<AuditEntry>(path, { limit: "50", action, account_id });
  return (
    <>
      <div class="filter-line">
        <Choice
          label="Change"
          value={action}
          onChoose={(value) => replaceQuery({ action: value })}
          choices={Object.entries(actionTexts)}
        />
      </div>
      <PagedTable
        caption="Changes, newest first"
        columns={[
          {
            name: "Change",
            place: "title",
            cell: (entry) => (
              <>
                {actionTexts[entry.action]}
                {entry.changed.length === 0 ? null : (
                  <span class="quiet"> {entry.changed.join(", ").replaceAll("_", " ")}</span>
                )}
              </>
            ),
          },
          {
            name: "What",
            kind: "url",
            place: "detail",
            cell: showTarget,
          },
          ...(account === undefined ? [] : [account]),
          { name: "Who", place: "detail", cell: ({ actor }) => <bdi>{describeActor(actor)}</bdi> },
          { name: "Time", place: "mark", cell: ({ at }) => <Ago at={at} /> },
        ]}
        pages={pages}
        readOnly
        empty={<p>No changes.</p>}
      />
    </>
  );
}
