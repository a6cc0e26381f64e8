/**
 * Remembers what a text was parsed to. Rows are immutable texts, so the text itself is the key and the answer
 * can never be stale, whichever process wrote the row. Rows that are read for every delivery (webhook, project,
 * account) are parsed once instead of once a delivery.
 */
export function createTextCache<Parsed extends object>(
  parse: (text: string) => Parsed,
  { maximum = 10_000 }: { readonly maximum?: number | undefined } = {},
): (text: string) => Parsed {
  let recent = new Map<string, Parsed>();
  let older = new Map<string, Parsed>();
  let last: { readonly text: string; readonly parsed: Parsed } | undefined;

  function find(text: string): Parsed {
    const found = recent.get(text);
    if (found !== undefined) return found;
    const parsed = older.get(text) ?? parse(text);
    // Two generations: what has not been asked for since the last turn-over is forgotten.
    if (recent.size >= maximum) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, parsed);
    return parsed;
  }

  return (text) => {
    // Many in a row ask for the same one; to compare two texts is cheaper than to have V8 intern one, as it does for a map.
    if (last?.text !== text) last = { text, parsed: find(text) };
    return last.parsed;
  };
}
