/**
 * Chooses what is kept at a limit: the holders with the most lose until all fits, so nobody can displace those who hold less. Within a
 * holder the same applies to the next level, and at the last level the oldest is lost. Of two holders with equally many, the one loses
 * whose holder at the next level has more in total, then the one that has added nothing for longer.
 *
 * @param items the oldest first
 * @param holdersOf the holders of an item, the outermost first, such as its account and its network
 * @returns at most `maximum` of the items, in their order
 * @example keepFairly(["a1", "a2", "a3", "b1"], 2, ([account = ""]) => [account]) // ["a3", "b1"]
 */
export function keepFairly<Item>(
  items: readonly Item[],
  maximum: number,
  holdersOf: (item: Item) => readonly string[],
): readonly Item[] {
  if (items.length <= maximum) return items;
  const all = items.map((item, index): Held => ({ index, holders: holdersOf(item) }));
  const kept = new Set(share(all, maximum, 0).map(({ index }) => index));
  return items.filter((_, index) => kept.has(index));
}

interface Held {
  readonly index: number;
  readonly holders: readonly string[];
}

function share(items: readonly Held[], maximum: number, level: number): readonly Held[] {
  if (items.length <= maximum) return items;
  if (items[0]?.holders[level] === undefined) return items.slice(items.length - maximum);
  const inner = Map.groupBy(items, ({ holders }) => holders[level + 1]);
  const groups = [...Map.groupBy(items, ({ holders }) => holders[level]).values()].map((group) => ({
    group,
    inner: inner.get(group[0]?.holders[level + 1])?.length ?? 0,
    newest: group.at(-1)?.index ?? 0,
  }));
  // The small ones first: what they do not use is shared by the others.
  groups.sort(
    (one, other) =>
      one.group.length - other.group.length || other.inner - one.inner || one.newest - other.newest,
  );
  let left = maximum;
  return groups.flatMap(({ group }, position) => {
    const own = Math.min(group.length, Math.floor(left / (groups.length - position)));
    left -= own;
    return share(group, own, level + 1);
  });
}
