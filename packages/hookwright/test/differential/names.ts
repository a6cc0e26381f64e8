/** Replaces random values in responses by their order of appearance, so that two programs can be compared. */
export interface Names {
  /** Replaces the first webhook's id by `<wh 0>`, and all other random values in the same way. */
  name(text: string): string;
  /**
   * Replaces `~wh.0~` by the first webhook's id. An index that is too large wraps around. Without any id, the result is
   * an unknown id.
   */
  resolve(text: string): string;
}

const cursor = /(?<="next_cursor":")[^"]+/g;
const random = [
  /(?<![A-Za-z0-9])(acc|site|key|wh|ct|sub|post|lst|dlv|att|req|test)_[0-9a-f]{32}/g,
  /(?<![A-Za-z0-9])(whsec|hwk|hwc)_[A-Za-z0-9_-]{40,}/g,
];
const hidden = [
  [/(?<="prefix":")[^"]+/g, "<prefix>"],
  // Written after the response.
  [/(?<="last_used_at":)(?:null|"[^"]+")/g, '"<time>"'],
] as const;

export function createNames(): Names {
  const names = new Map<string, string>();
  const found = new Map<string, string[]>();

  function nameOf(text: string, kind: string): string {
    const known = names.get(text);
    if (known !== undefined) return known;
    const all = found.get(kind) ?? [];
    found.set(kind, all);
    const name = `<${kind} ${all.length}>`;
    all.push(text);
    names.set(text, name);
    return name;
  }

  return {
    name(text) {
      const named = random.reduce(
        (rest, pattern) => rest.replaceAll(pattern, (whole, kind: string) => nameOf(whole, kind)),
        text.replaceAll(cursor, (whole) => nameOf(whole, "cursor")),
      );
      return hidden.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), named);
    },
    resolve: (text) =>
      text.replaceAll(/~([a-z]+)\.(\d+)~/g, (_, kind: string, index: string) => {
        const all = found.get(kind) ?? [];
        return all[Number(index) % all.length] ?? `${kind}_unknown`;
      }),
  };
}
