import { keepFairly } from "./keep-fairly.ts";

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
