/** What several reads may find together. */
export interface ReadBudget {
  /** Whether nothing more fits. */
  readonly isSpent: boolean;
  /** Counts a read. Returns how many entries it may ask for, at most `wanted`. 0: it must not read. */
  startRead(wanted: number): number;
  /** Takes an entry with a value of this many characters. False: it does not fit. */
  take(characters: number): boolean;
}

export interface BudgetLimits {
  readonly entries: number;
  /** Of values. The last entry may exceed it. @default no limit */
  readonly characters?: number | undefined;
  /** @default no limit */
  readonly reads?: number | undefined;
  /** A budget from which this one takes as well. */
  readonly parent?: ReadBudget | undefined;
}

/** Entries of a read while it is not known how long values are. */
const firstSize = 8;

export function createReadBudget(limits: BudgetLimits): ReadBudget {
  const { parent } = limits;
  let { entries, characters = Number.POSITIVE_INFINITY, reads = Number.POSITIVE_INFINITY } = limits;
  let longest = 0;
  const isSpent = (): boolean => entries <= 0 || characters <= 0 || reads <= 0 || parent?.isSpent === true;

  return {
    get isSpent() {
      return isSpent();
    },
    startRead(wanted) {
      const allowed = parent?.startRead(wanted) ?? wanted;
      if (reads <= 0 || allowed === 0) return 0;
      reads -= 1;
      const fitting = longest === 0 ? firstSize : Math.floor(characters / longest);
      // One more shows whether there are others.
      return Math.max(1, Math.min(allowed, entries + 1, fitting));
    },
    take(size) {
      if (entries <= 0 || characters <= 0 || parent?.take(size) === false) return false;
      entries -= 1;
      characters -= size;
      longest = Math.max(longest, size);
      return true;
    },
  };
}
