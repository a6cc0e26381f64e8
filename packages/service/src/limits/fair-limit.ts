/** Something that uses a part of a limit, such as an open stream. */
export interface LimitedUse {
  /** The account, then narrower or other holders, such as the network and the credential. */
  readonly holders: readonly [account: string, ...others: string[]];
  /** Called when another one takes its place. */
  readonly end: () => void;
}

export interface FairLimitOptions {
  /** Uses of all accounts. */
  readonly maximum: number;
  /** @default no limit of its own */
  readonly maximumOfAccount?: number | undefined;
}

export interface FairLimit {
  readonly size: number;
  /** Adds a use. False: it is refused, because its own holder has the most. */
  add(use: LimitedUse): boolean;
  remove(use: LimitedUse): void;
}

/**
 * A limit that is never in the way of those who use little: if it is full, the oldest use of the largest holder ends, and the newcomer is
 * refused only if that holder is its own.
 */
export function createFairLimit({ maximum, maximumOfAccount = maximum }: FairLimitOptions): FairLimit {
  /** The oldest first. */
  const uses = new Set<LimitedUse>();

  function makePlace(rivals: readonly LimitedUse[], most: number, newcomer: LimitedUse): boolean {
    if (rivals.length < most) return true;
    const kept = new Set(keepFairly([...rivals, newcomer], most, ({ holders }) => holders));
    const ended = rivals.find((use) => !kept.has(use));
    // Ending an own use for another own one would only make its client come back.
    if (ended === undefined || isSame(ended.holders, newcomer.holders)) return false;
    uses.delete(ended);
    ended.end();
    return true;
  }

  return {
    get size() {
      return uses.size;
    },
    add(use) {
      const [account] = use.holders;
      const own = [...uses].filter(({ holders }) => holders[0] === account);
      if (!makePlace(own, maximumOfAccount, use) || !makePlace([...uses], maximum, use)) return false;
      uses.add(use);
      return true;
    },
    remove: (use) => void uses.delete(use),
  };
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.every((holder, level) => holder === others[level]);
}

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
