import type { ComponentChildren } from "preact";
import type { Pages } from "../state/use-pages.ts";
import { Button } from "./button.tsx";
import { FailureNote } from "./failure-note.tsx";

export interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly pages: Pages<Row>;
  readonly row: (row: Row) => ComponentChildren;
  readonly empty: ComponentChildren;
}

/** A list of the API as a table: its rows, what is said where there are none, and more of it on demand. */
export function PagedTable<Row>({ caption, columns, pages, row, empty }: PagedTableProps<Row>) {
  const { rows, failure, loading, hasMore, loadMore, reload } = pages;
  return (
    <>
      <FailureNote failure={failure} onRetry={reload} />
      {rows === undefined && failure === undefined ? (
        <p class="quiet" role="status">
          Loading …
        </p>
      ) : null}
      {rows?.length === 0 ? <div class="empty">{empty}</div> : null}
      {rows !== undefined && rows.length > 0 ? (
        <div class="table" aria-busy={loading}>
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{rows.map(row)}</tbody>
          </table>
        </div>
      ) : null}
      {hasMore ? (
        <div class="actions">
          <Button busy={loading} onClick={loadMore}>
            Load more
          </Button>
        </div>
      ) : null}
    </>
  );
}
