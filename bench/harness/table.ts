/** Prints rows under a title with aligned columns: text to the left, numbers to the right. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0),
      )
      .join("   ");
  console.log(`\n${title}\n`);
  console.log(`  ${line(columns)}`);
  for (const row of rows) console.log(`  ${line(columns.map((column) => row[column] ?? ""))}`);
}

/** `12,345` */
export function whole(figure: number): string {
  return Math.round(figure).toLocaleString("en");
}

/** The lowest and the highest: `0.97–1.08`. */
export function range(figures: readonly number[]): string {
  return `${Math.min(...figures).toFixed(2)}–${Math.max(...figures).toFixed(2)}`;
}

/** The range of the middle half. */
export function quartiles(figures: readonly number[]): string {
  return range([quantile(figures, 0.25), quantile(figures, 0.75)]);
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The quantile at this share. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
