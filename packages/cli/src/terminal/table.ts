/**
 * Renders rows as columns, two spaces apart. The last column is not padded.
 *
 * @param cells the heading first
 * @param paint colours a padded cell
 */
export function renderTable(
  cells: readonly (readonly string[])[],
  paint: (padded: string, row: number, column: number) => string = (padded) => padded,
): string[] {
  const widths: number[] = [];
  for (const row of cells)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  return cells.map((row, number) =>
    row
      .map((cell, column) =>
        paint(column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0), number, column),
      )
      .join("  ")
      .trimEnd(),
  );
}
