import type { ComponentChildren } from "preact";
import type { Pages } from "../state/use-pages.ts";
import { Button } from "./button.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Loading } from "./loading.tsx";

export interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly pages: Pages<Row>;
  readonly row: (row: Row) => ComponentChildren;
  readonly empty: ComponentChildren;
}

/** A list of the API as a table: its rows, what is said where there are none, and more of it on demand. */
export function PagedTable<Row>({ caption, columns, pages, row, empty }: PagedTableProps<Row>) {
  const { rows, failure, moreFailure, loading, hasMore, loadMore, reload } = pages;
  return (
    <>
      <FailureNote failure={failure} onRetry={reload} />
      {rows === undefined && failure === undefined ? <Loading /> : null}
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
      <FailureNote failure={moreFailure} onRetry={loadMore} />
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
