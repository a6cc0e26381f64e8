/** Counts attempts that are under way, by partition. */
export interface UnderWay {
  begin(partition: string): void;
  end(partition: string): void;
  count(): number;
  countIn(partition: string): number;
  /** Resolves when none is under way. */
  ended(): Promise<void>;
  /** Resolves when none of this partition is. */
  endedIn(partition: string): Promise<void>;
}

export function createUnderWay(): UnderWay {
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let total = 0;

  function endedIn(partition: string): Promise<void> {
    if (!counts.has(partition)) return Promise.resolve();
    return new Promise((resolve) => {
      const others = waiting.get(partition);
      if (others === undefined) waiting.set(partition, [resolve]);
      else others.push(resolve);
    });
  }

  return {
    begin(partition) {
      total += 1;
      counts.set(partition, (counts.get(partition) ?? 0) + 1);
    },
    end(partition) {
      total -= 1;
      const left = (counts.get(partition) ?? 0) - 1;
      if (left > 0) {
        counts.set(partition, left);
        return;
      }
      counts.delete(partition);
      const resolves = waiting.get(partition) ?? [];
      waiting.delete(partition);
      for (const resolve of resolves) resolve();
    },
    count: () => total,
    countIn: (partition) => counts.get(partition) ?? 0,
    async ended() {
      // One that waited for another partition may have begun in between.
      while (total > 0) await Promise.all([...counts.keys()].map(endedIn));
    },
    endedIn,
  };
}
