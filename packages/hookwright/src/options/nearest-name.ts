/** Shorter ones begin too many names. */
const leastBeginning = 4;

/** The name that begins as a misspelt one does, else the one most like it; undefined where none is much like it. */
export function nearestName(misspelt: string, names: readonly string[]): string | undefined {
  const begun = names.find((name) => name.toLowerCase().startsWith(misspelt.toLowerCase()));
  if (begun !== undefined && misspelt.length >= leastBeginning) return begun;
  let nearest: string | undefined;
  // A third of the letters may be wrong.
  let fewest = Math.floor(misspelt.length / 3) + 1;
  for (const name of names) {
    const changes = countChanges(misspelt.toLowerCase(), name.toLowerCase());
    if (changes < fewest) {
      fewest = changes;
      nearest = name;
    }
  }
  return nearest;
}

/** Letters to be put in, taken out or replaced to come from one text to another (Levenshtein), a row of the table at a time. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
