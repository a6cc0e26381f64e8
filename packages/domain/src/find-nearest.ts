/** A shorter text begins or ends too many names. */
const leastPart = 4;

/**
 * The name that somebody who wrote `text` may have meant, in any case: the first that begins with it, else the only one that ends
 * with it, else the one that is the fewest edits away; undefined if no name is near.
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
    // At least so many letters were added or left out. This also bounds the work that a long text causes.
    if (Math.abs(written.length - name.length) >= least) continue;
    const distance = countEdits(written, name.toLowerCase());
    // A short name is nothing but edits away from any other.
    if (distance >= least || distance >= name.length) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

/** Letters added, left out, replaced, or swapped with the next (optimal string alignment). */
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
