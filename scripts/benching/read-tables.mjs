/**
 * @typedef {{ table: string, row: string, column: string, value: number }} Figure
 */

/** Columns that can be compared. Less is better for the first one, more for the others. */
const COLUMNS = ["CPU µs", "per second"];

/**
 * Reads the figures of the tables that a bench has printed. A title is followed by an empty line, then by indented lines: the names of the
 * columns, and the rows. Every column but the first is aligned to the right.
 *
 * @param {string} output
 * @returns {Figure[]}
 */
export function readTables(output) {
  const lines = output.split("\n");
  return lines.flatMap((title, index) => {
    const header = lines[index + 2] ?? "";
    if (title.trim() === "" || lines[index + 1] !== "" || !header.startsWith("  ")) return [];
    const rows = lines.slice(index + 3);
    const end = rows.findIndex((line) => !line.startsWith("  "));
    return COLUMNS.flatMap((column) => {
      const start = header.indexOf(column);
      if (start === -1) return [];
      const last = start + column.length;
      return rows.slice(0, end === -1 ? undefined : end).flatMap((line) => {
        const [row = ""] = line.trim().split(/ {3,}/);
        const cell = /\S+$/.exec(line.slice(0, last))?.[0] ?? "";
        const value = Number(cell.replaceAll(",", ""));
        // Without its numbers, the title is the same for other numbers of rounds.
        const table = title.trim().replace(/,? \(?\d+ × .*$/u, "");
        return Number.isFinite(value) && cell !== "" ? [{ table, row, column, value }] : [];
      });
    });
  });
}
