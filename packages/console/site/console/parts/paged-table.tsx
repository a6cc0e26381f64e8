import type { ComponentChildren } from "preact";
import type { Pages } from "../state/use-pages.ts";
import { Button } from "./buttons.tsx";
import { DataTable } from "./data-table.tsx";
import type { Column, DataTableProps, Selection } from "./data-table.tsx";
import { FailureNote, Loading } from "./page.tsx";

export interface PagedTableProps<Row> extends Pick<
  DataTableProps<Row>,
  "headingOf" | "renderHeading" | "sort"
> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly pages: Pages<Row>;
  readonly empty: ComponentChildren;
  /** True if no element in the rows can get the focus. */
  readonly readOnly?: boolean;
  readonly selection?: Selection | undefined;
  readonly onOpen?: ((row: Row) => void) | undefined;
}

/** Ten rows. */
const listRem = 24;

/** A list of the API as a table, with a text for an empty list and a button that loads more. */
export function PagedTable<Row extends { readonly id: string }>({
  caption,
  columns,
  pages,
  empty,
  readOnly = false,
  selection,
  onOpen,
  headingOf,
  renderHeading,
  sort,
}: PagedTableProps<Row>) {
  const { rows, failure, moreFailure, loading, hasMore, isLonger, loadMore, reload } = pages;
  const { newCount, isOutdated } = pages;
  return (
    <>
      <FailureNote failure={failure} onRetry={reload} />
      {rows === undefined && failure === undefined ? <Loading rem={listRem} /> : null}
      <div class="paged">
        {newCount > 0 || isOutdated ? (
          <div class="pill">
            <Button onClick={reload}>{isOutdated ? "Show the newest" : `${newCount} new`}</Button>
          </div>
        ) : null}
        {rows?.length === 0 ? <div class="empty">{empty}</div> : null}
        {rows !== undefined && rows.length > 0 ? (
          <DataTable
            caption={caption}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            loading={loading}
            readOnly={readOnly}
            selection={selection}
            onOpen={onOpen}
            headingOf={headingOf}
            renderHeading={renderHeading}
            sort={sort}
          />
        ) : null}
      </div>
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
