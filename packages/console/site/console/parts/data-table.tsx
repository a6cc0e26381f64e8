import { Component, Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePreferences } from "../state/preferences.ts";
import { replaceQuery } from "../state/route.ts";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly kind?: "actions-cell" | "name" | "number" | "record" | "text" | "url";
  /**
   * On a phone each row has two lines: `title`, `mark` and `menu` in the first one, `detail` in the second one. The
   * other columns are hidden.
   */
  readonly place?: "title" | "mark" | "menu" | "detail";
  /** A table whose columns have widths keeps its layout for any content. Columns without a width share the rest. */
  readonly width?: "status" | "event" | "site" | "answer" | "duration" | "attempts" | "time";
  /** Columns that are hidden on a screen of middle width. */
  readonly isWide?: boolean;
  /** What a list is sorted by if the user asks for it. Null is last. @default the column does not sort */
  readonly sortBy?: (row: Row) => string | number | null;
}

/** The rows in the order of a column: `Success`, or `-Success` for the largest first. Undefined: the list has an order of its own. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string | undefined,
): readonly Row[] | undefined {
  const sortBy = columns.find(({ name }) => name === sort?.replace(/^-/u, ""))?.sortBy;
  if (sort === undefined || sortBy === undefined) return undefined;
  const direction = sort.startsWith("-") ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [a, b] = [sortBy(left), sortBy(right)];
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -direction : direction;
  });
}

/** Which rows are selected. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Selects all rows that are shown, or none. */
  readonly toggleAll: () => void;
}

export interface DataTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows with the same heading follow one another, below it. Undefined: the row has none. */
  readonly headingOf?: ((row: Row) => string | undefined) | undefined;
  readonly renderHeading?: ((heading: string) => ComponentChildren) | undefined;
  readonly loading?: boolean;
  /** True if no element in the rows can get the focus. Then the table can, so that the keyboard can scroll it. */
  readonly readOnly?: boolean;
  /** The parameter of the address that `sortRows` takes. */
  readonly sort?: string | undefined;
  readonly selection?: Selection | undefined;
  /** Opens a row. Without it, a click on a row follows its link with the class `row-link`. */
  readonly onOpen?: ((row: Row) => void) | undefined;
}

/** Of a longer list, only the sections near the window are rendered. */
const alwaysRendered = 300;
const sectionSize = 100;

function toSections<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / sectionSize) }, (_, index) =>
    rows.slice(index * sectionSize, (index + 1) * sectionSize),
  );
}

/** Rows as a table. On a phone each row has two lines. The whole row can be clicked. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  headingOf,
  renderHeading,
  loading = false,
  readOnly = false,
  sort,
  selection,
  onOpen,
}: DataTableProps<Row>) {
  const { density } = usePreferences();
  const newest = useRef({ selection, onOpen });
  newest.current = { selection, onOpen };
  const select = useCallback((id: string) => newest.current.selection?.toggle(id), []);
  const open = useCallback((row: Row) => newest.current.onOpen?.(row), []);
  const isFixed = columns.some(({ width }) => width !== undefined);
  return (
    <div
      class={`table ${density} ${isFixed ? "fixed" : ""}`}
      aria-busy={loading}
      {...(readOnly ? { role: "region", "aria-label": caption, tabIndex: 0 } : {})}
    >
      {/* The roles are named because a table with another layout is none any more to some browsers. */}
      <table role="table">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection === undefined ? null : (
              <th scope="col" role="columnheader" class="select" data-place="select">
                <span class="heard">Select</span>
                <input
                  type="checkbox"
                  aria-label="Select all rows that are shown"
                  checked={rows.length > 0 && rows.every((row) => selection.ids.has(keyOf(row)))}
                  onChange={selection.toggleAll}
                />
              </th>
            )}
            {columns.map(({ name, isWide, place, width, sortBy }) => (
              <th
                key={name}
                scope="col"
                role="columnheader"
                class={isWide === true ? "wide" : ""}
                data-width={width}
                data-place={place}
                aria-sort={sort === name ? "ascending" : sort === `-${name}` ? "descending" : undefined}
              >
                {sortBy === undefined ? name : <SortButton name={name} sort={sort} />}
              </th>
            ))}
          </tr>
        </thead>
        {toSections(rows).map((section, index) => (
          <TableSection key={index} isLazy={rows.length > alwaysRendered}>
            {() =>
              section.map((row, position) => {
                const id = keyOf(row);
                const heading = headingOf?.(row);
                const before = position === 0 ? undefined : section[position - 1];
                const isFirst = before === undefined || headingOf?.(before) !== heading;
                return (
                  <Fragment key={id}>
                    {heading === undefined || !isFirst ? null : (
                      <tr role="row" class="heading">
                        <th
                          role="rowheader"
                          scope="rowgroup"
                          colSpan={columns.length + (selection === undefined ? 0 : 1)}
                        >
                          {renderHeading?.(heading) ?? heading}
                        </th>
                      </tr>
                    )}
                    <TableRow
                      row={row}
                      id={id}
                      columns={columns}
                      isBelowHeading={heading !== undefined}
                      isSelected={selection?.ids.has(id)}
                      onSelect={select}
                      onOpen={onOpen === undefined ? undefined : open}
                    />
                  </Fragment>
                );
              })
            }
          </TableSection>
        ))}
      </table>
    </div>
  );
}

/** Sorts by a column: the largest first, then the smallest first, then as the list is by itself. */
function SortButton({ name, sort }: { readonly name: string; readonly sort: string | undefined }) {
  const next = sort === `-${name}` ? name : sort === name ? "" : `-${name}`;
  return (
    <button type="button" class="sort" onClick={() => replaceQuery({ sort: next })}>
      {name}
      <span aria-hidden="true">{sort === name ? " ▲" : sort === `-${name}` ? " ▼" : ""}</span>
    </button>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly columns: readonly Column<Row>[];
  readonly isBelowHeading: boolean;
  /** Undefined: rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onSelect: (id: string) => void;
  readonly onOpen: ((row: Row) => void) | undefined;
}

/** A row renders again only if something of it has changed, because a list may have 10,000 rows. */
class TableRow<Row> extends Component<TableRowProps<Row>> {
  override shouldComponentUpdate(next: TableRowProps<Row>): boolean {
    const { row, columns, isBelowHeading, isSelected, onOpen } = this.props;
    return (
      next.row !== row ||
      next.columns !== columns ||
      next.isBelowHeading !== isBelowHeading ||
      next.isSelected !== isSelected ||
      next.onOpen !== onOpen
    );
  }

  override render({ row, id, columns, isBelowHeading, isSelected, onSelect, onOpen }: TableRowProps<Row>) {
    return (
      <tr
        role="row"
        class={isBelowHeading ? "below" : undefined}
        data-row={id}
        onClick={(event) => openRow(event, onOpen && (() => onOpen(row)))}
      >
        {isSelected === undefined ? null : (
          <td role="cell" class="select" data-place="select">
            {/* The label fills the cell: a click beside the box must not open the row. */}
            <label>
              <input
                type="checkbox"
                aria-label="Select this row"
                data-shortcut="x"
                checked={isSelected}
                onChange={() => onSelect(id)}
              />
            </label>
          </td>
        )}
        {columns.map(({ name, cell, kind = "", place, isWide, width }) => (
          <td
            key={name}
            role="cell"
            class={isWide === true ? `${kind} wide` : kind}
            data-place={place}
            data-width={width}
          >
            {cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

/** Other controls of the row keep their own click, and a new tab is the browser's matter. */
function openRow(event: MouseEvent, open: (() => void) | undefined): void {
  const { target, currentTarget } = event;
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (target.closest("button, input, select, label, summary, [popover], .select, a:not(.row-link)") !== null)
    return;
  if (getSelection()?.isCollapsed === false) return;
  if (open !== undefined) {
    event.preventDefault();
    open();
  } else if (target.closest("a") === null) {
    currentTarget.querySelector<HTMLElement>("a.row-link")?.click();
  }
}

/** Sections nearer to the window than this are rendered. */
const margin = "1200px 0px";

export interface TableSectionProps {
  /** False: the section is always rendered. */
  readonly isLazy: boolean;
  /** Renders the rows. */
  readonly children: () => ComponentChildren;
}

/** Some rows of a long table. Far from the window, an empty row of the same height stands for them. */
export function TableSection({ isLazy, children }: TableSectionProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const height = useRef(0);
  const [isNear, setNear] = useState(true);
  useLayoutEffect(() => {
    const { current } = body;
    if (!isLazy || current === null) return setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        const isVisible = entries.at(-1)?.isIntersecting ?? true;
        if (!isVisible) height.current = current.offsetHeight;
        setNear(isVisible);
      },
      { rootMargin: margin },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isLazy]);
  return (
    <tbody ref={body} role="rowgroup">
      {isNear ? children() : <tr role="row" style={{ height: `${height.current}px` }} />}
    </tbody>
  );
}

export interface SelectedRows<Row> {
  readonly selection: Selection;
  /** The selected rows that are shown. */
  readonly selected: readonly Row[];
  readonly clear: () => void;
}

/**
 * Which rows of a list are selected.
 *
 * @param key names the list. Another list has nothing selected
 */
export function useSelection<Row extends { readonly id: string }>(
  rows: readonly Row[],
  key: string,
): SelectedRows<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const clear = (): void => setIds(new Set());
  useEffect(clear, [key]);
  return {
    selection: {
      ids,
      toggle: (id) => setIds((before) => toggled(before, id)),
      toggleAll: () =>
        setIds((before) =>
          rows.every(({ id }) => before.has(id)) ? new Set() : new Set(rows.map(({ id }) => id)),
        ),
    },
    selected: rows.filter(({ id }) => ids.has(id)),
    clear,
  };
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const changed = new Set(ids);
  if (!changed.delete(id)) changed.add(id);
  return changed;
}
