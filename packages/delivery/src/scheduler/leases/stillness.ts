import { leaseMs } from "./worker-identity.ts";

/** Watches rows that living workers write anew every few seconds. */
export interface Stillness {
  /** Whether this row has been the same for the length of a lease, for as long as it is looked at: whoever wrote it is dead. */
  has(name: string, text: string | undefined): boolean;
}

/** Workers come and go, each under a name of its own. */
const mostNames = 2_000;

/**
 * Tells the dead by this process's own clock, whatever theirs said: a wall clock that was set back since makes a lease seem
 * valid for a day.
 */
export function createStillness({ now }: { readonly now: () => number }): Stillness {
  const seen = new Map<string, { readonly text: string | undefined; readonly since: number }>();
  return {
    has(name, text) {
      const known = seen.get(name);
      if (known !== undefined && known.text === text) return now() - known.since >= leaseMs;
      if (seen.size >= mostNames) seen.clear();
      seen.set(name, { text, since: now() });
      return false;
    },
  };
}
