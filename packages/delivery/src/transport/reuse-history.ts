const hourMs = 3_600_000;
const maximumFailures = 3;
/** About a megabyte. */
const maximumKeys = 10_000;

/**
 * Remembers where reused connections have failed. After three failures within an hour, reuse is forbidden for an hour.
 * A key is an account and an origin.
 */
export function createReuseHistory() {
  /** When they happened, at most three each. The key that failed longest ago comes first. */
  const failuresOf = new Map<string, readonly number[]>();

  return {
    forbidsReuse(key: string, now: number): boolean {
      const failures = failuresOf.get(key);
      if (failures === undefined || failures.length < maximumFailures) return false;
      if (now - (failures.at(-1) ?? 0) < hourMs) return true;
      failuresOf.delete(key);
      return false;
    },
    /** @param sentAt when the request was sent: requests under way at the last failure are part of the same incident */
    addFailure(key: string, sentAt: number, now: number): void {
      const failures = failuresOf.get(key) ?? [];
      if (failures.length === maximumFailures || sentAt < (failures.at(-1) ?? 0)) return;
      failuresOf.delete(key);
      for (const oldest of failuresOf.keys()) {
        if (failuresOf.size < maximumKeys) break;
        failuresOf.delete(oldest);
      }
      failuresOf.set(key, [...failures.filter((at) => now - at < hourMs), now]);
    },
    forget: (key: string): boolean => failuresOf.delete(key),
  };
}
