import type { ComponentChildren } from "preact";
import type { Pages } from "../state/use-pages.ts";
import { Button } from "./button.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Loading } from "./loading.tsx";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly kind?: "name" | "number" | "record" | "url";
  /** On a phone each row is a card. `title` and `mark` are in its head, the other cells are below with their names. */
  readonly place?: "title" | "mark";
}

export interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: Pages<Row>;
  readonly empty: ComponentChildren;
  /** True if no element in the rows can get the focus. Then the table can, so that the keyboard can scroll it. */
  readonly readOnly?: boolean;
}

/** A list of the API as a table, with a text for an empty list and a button that loads more. */
export function PagedTable<Row extends { readonly id: string }>({
  caption,
  columns,
  pages,
  empty,
  readOnly = false,
}: PagedTableProps<Row>) {
  const { rows, failure, moreFailure, loading, hasMore, isLonger, loadMore, reload } = pages;
  return (
    <>
      <FailureNote failure={failure} onRetry={reload} />
      {rows === undefined && failure === undefined ? <Loading /> : null}
      {rows?.length === 0 ? <div class="empty">{empty}</div> : null}
      {rows !== undefined && rows.length > 0 ? (
        <div
          class="table"
          aria-busy={loading}
          {...(readOnly ? { role: "region", "aria-label": caption, tabIndex: 0 } : {})}
        >
          {/* The roles are named because a table that is laid out as cards is none any more to some browsers. */}
          <table role="table">
            <caption>{caption}</caption>
            <thead role="rowgroup">
              <tr role="row">
                {columns.map(({ name }) => (
                  <th key={name} scope="col" role="columnheader">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {rows.map((row) => (
                <tr key={row.id} role="row">
                  {columns.map(({ name, cell, kind, place }) => (
                    <td key={name} role="cell" class={kind} data-name={name} data-place={place}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <FailureNote failure={moreFailure} onRetry={loadMore} />
      {hasMore || isLonger ? (
        <div class="actions">
          {hasMore ? (
            <Button busy={loading} onClick={loadMore}>
              Load more
            </Button>
          ) : null}
          <p class="quiet told" role="status">
            {hasMore ? `${rows?.length} shown` : `All ${rows?.length} shown`}
          </p>
        </div>
      ) : null}
    </>
  );
}
