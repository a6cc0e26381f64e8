/** Work that calls something slow: each owner once at a time, at most `maximum` owners at once, first come first served. */
export function createTurns(maximum: number) {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  function next(): void {
    for (const [owner, work] of waiting) {
      if (isClosed || running.size >= maximum) return;
      waiting.delete(owner);
      running.set(owner, run(owner, work));
    }
  }

  async function run(owner: string, work: () => Promise<void>): Promise<void> {
    // Not before it is in the map.
    await Promise.resolve();
    try {
      await work();
    } finally {
      running.delete(owner);
      next();
    }
  }

  return {
    has: (owner: string): boolean => waiting.has(owner) || running.has(owner),
    /** @param work must not reject */
    add(owner: string, work: () => Promise<void>): void {
      waiting.set(owner, work);
      next();
    },
    /** Resolves when what runs for such owners has ended. */
    async ended(isMeant: (owner: string) => boolean = () => true): Promise<void> {
      await Promise.all([...running].flatMap(([owner, done]) => (isMeant(owner) ? [done] : [])));
    },
    /** Starts nothing more. */
    close: (): void => void (isClosed = true),
  };
}
