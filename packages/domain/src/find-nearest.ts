/** A shorter text is the beginning or end of too many names. */
const leastPart = 4;

/**
 * Returns the name that `text` most likely means, ignoring case: the first name that begins with it, else the
 * only name that ends with it, else the name with the fewest edits. Returns `undefined` if no name is close.
 *
 * @example findNearest("prot", ["port", "host"]) // "port"
 */
export function findNearest(text: string, names: readonly string[]): string | undefined {
  const written = text.toLowerCase();
  const begun = names.find((name) => name.toLowerCase().startsWith(written));
  if (begun !== undefined && written.length >= leastPart) return begun;
  const [ended, ...others] = names.filter((name) => name.toLowerCase().endsWith(written));
  if (ended !== undefined && others.length === 0 && written.length >= leastPart) return ended;
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(written.length / 3)) + 1;
  for (const name of names) {
    // The length difference is a lower bound of the edits. This also limits the work for a long text.
    if (Math.abs(written.length - name.length) >= least) continue;
    const distance = countEdits(written, name.toLowerCase());
    // For a short name, every letter would be an edit.
    if (distance >= least || distance >= name.length) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Returns the edit distance: letters added, removed, replaced, or swapped (optimal string alignment). */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 1; index <= from.length; index++) {
    const next = [index];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (from[index - 1] === to[column - 1] ? 0 : 1);
      const isSwapped = from[index - 1] === to[column - 2] && from[index - 2] === to[column - 1];
      const swapped = isSwapped ? at(before, column - 2) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, at(row, column) + 1, at(next, column - 1) + 1));
    }
    before = row;
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
