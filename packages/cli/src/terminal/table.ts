import { escapeControls } from "./escape-controls.ts";
import type { Text } from "./output.ts";

/**
 * Renders rows as columns, two spaces apart. The last column is not padded.
 *
 * @param cells the heading first
 * @param paintCell colours a padded cell
 */
export function renderTable(
  cells: readonly (readonly string[])[],
  paintCell: (padded: string, row: number, column: number) => Text = (padded) => padded,
): Text[][] {
  // An escape is wider than the character, so the widths are those of the escaped texts.
  const shown = cells.map((row) => row.map(escapeControls));
  const widths: number[] = [];
  for (const row of shown)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  return shown.map((row, number) => {
    const last = row.findLastIndex((cell) => cell !== "");
    return row.slice(0, last + 1).flatMap((cell, column) => {
      const padded = column === last ? cell : cell.padEnd(widths[column] ?? 0);
      return column === 0 ? [paintCell(padded, number, column)] : ["  ", paintCell(padded, number, column)];
    });
  });
}
