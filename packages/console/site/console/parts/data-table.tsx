import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly kind?: "name" | "number" | "record" | "text" | "url";
  /** On a phone each row is a card. `title` and `mark` are in its head, the other cells are below with their names. */
  readonly place?: "title" | "mark";
}

export interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly loading?: boolean;
  /** True if no element in the rows can get the focus. Then the table can, so that the keyboard can scroll it. */
  readonly readOnly?: boolean;
}

/** Rows as a table, and as cards on a phone. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  loading = false,
  readOnly = false,
}: DataTableProps<Row>) {
  return (
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
            <tr key={keyOf(row)} role="row">
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
  );
}
