import type { Clock } from "../../time/clock.ts";

/** What is known of the partitions this process works for, of each from when it is won until it is lost. */
export interface Tenures {
  of(partition: string): Tenure;
  /** Whether it is still the same: it may have been lost meanwhile, and won back. */
  isCurrent(partition: string, tenure: Tenure): boolean;
  /** The partition was lost: when it is won again, others have written to it. */
  forget(partition: string): void;
}

export interface Tenure {
  /** Resolves when what is to be done before the first look is done: once, however many look together. */
  whenPrepared(): Promise<void>;
  /** Nobody knows what was written there: a look into everything is owed. At first one is. */
  owe(): void;
  isOwed(): boolean;
  /** Whether none has ended well so far. */
  isNew(): boolean;
  /** A look into everything begins; the answer is called when it has ended well, and settles what was owed by now. */
  beginLook(): () => void;
  /** Whether retries are to be looked for because somebody has told of a change. */
  mayLookWoken(): boolean;
  /** Whether it is time to look for them though nobody has. */
  isTimeForRetries(): boolean;
  /** Of how many webhooks a queue cannot be read, as far as that was told. */
  readonly unreadable: Map<string, number>;
}

/**
 * A partition's retries are written by the process that holds it, which keeps in mind when the next of each webhook is due. They are looked
 * for where somebody has told of a change, for webhooks that another process has removed, but not with each of a hundred publishes in a
 * second: a thousand webhooks that have some are a thousand seeks. Unprompted they are looked for this seldom, where that word has not come.
 */
const wokenLooksInASecond = 4;
const retriesEveryMs = 32_000;

export interface TenuresOptions {
  readonly clock: Pick<Clock, "now">;
  readonly prepare: (partition: string) => Promise<void>;
}

export function createTenures({ clock, prepare }: TenuresOptions): Tenures {
  const tenures = new Map<string, Tenure>();
  return {
    of(partition) {
      const known = tenures.get(partition);
      if (known !== undefined) return known;
      const tenure = createTenure(clock, () => prepare(partition));
      tenures.set(partition, tenure);
      return tenure;
    },
    isCurrent: (partition, tenure) => tenures.get(partition) === tenure,
    forget: (partition) => void tenures.delete(partition),
  };
}

function createTenure(clock: Pick<Clock, "now">, prepare: () => Promise<void>): Tenure {
  let prepared: Promise<void> | undefined;
  /** The looks that are owed: the first, and one for each that failed. */
  let owed = 1;
  /** How many of them had been owed when a look began that has ended well. */
  let settled = 0;
  let retriesLookedForAt = 0;
  /** In the second that began at `since`, how often they were looked for because somebody has told of a change. */
  let wokenLooks = { since: 0, count: 0 };

  return {
    whenPrepared() {
      // A fault of the store is tried again with the next look.
      prepared ??= prepare().catch((error: unknown) => {
        prepared = undefined;
        throw error;
      });
      return prepared;
    },
    owe: () => void (owed += 1),
    isOwed: () => settled < owed,
    isNew: () => settled === 0,
    beginLook() {
      const begunAt = clock.now();
      const owedByNow = owed;
      return () => {
        settled = Math.max(owedByNow, settled);
        retriesLookedForAt = begunAt;
      };
    },
    mayLookWoken() {
      const now = clock.now();
      const sinceMs = now - wokenLooks.since;
      if (sinceMs < 0 || sinceMs >= 1_000) wokenLooks = { since: now, count: 0 };
      return (wokenLooks.count += 1) <= wokenLooksInASecond;
    },
    isTimeForRetries() {
      const now = clock.now();
      // A clock of the host's own may be set back: then it was long ago.
      return settled < owed || now < retriesLookedForAt || now - retriesLookedForAt >= retriesEveryMs;
    },
    unreadable: new Map(),
  };
}
