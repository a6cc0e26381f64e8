/**
 * Caches what texts were parsed to. The text is the key, so a result is never out of date. Rows that every delivery needs, such as
 * its webhook, are parsed once.
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
    // Two generations: a text that was not used in the last one is dropped.
    if (recent.size >= maximum) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, parsed);
    return parsed;
  }

  return (text) => {
    // Callers often repeat a text. Comparing it is cheaper than a map, for which V8 interns it.
    if (last?.text !== text) last = { text, parsed: find(text) };
    return last.parsed;
  };
}
