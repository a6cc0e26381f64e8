/** Deliveries of one webhook that were published a moment ago, as far as their turns have not come: how many there are, not which. */
export interface PublishedLately {
  add(now: number): void;
  /** One of them, if there is any, has its turn. */
  take(): void;
  isEmpty(now: number): boolean;
}

/**
 * For so long at most, and for half of it at least: it is counted in two halves. A partition waits for 15 s after its worker was killed, which
 * makes no backlog of what came meanwhile.
 */
export const latelyMs = 30_000;
const halfMs = latelyMs / 2;

export function createPublishedLately(): PublishedLately {
  let counts = { inThisHalf: 0, inTheLast: 0 };
  let since = Number.NEGATIVE_INFINITY;

  /** A clock of the host's own may be set in either direction: nothing is lately then. */
  function turnTo(now: number): void {
    const passedMs = now - since;
    if (passedMs >= 0 && passedMs < halfMs) return;
    const isNextHalf = passedMs >= halfMs && passedMs < latelyMs;
    counts = { inThisHalf: 0, inTheLast: isNextHalf ? counts.inThisHalf : 0 };
    since = isNextHalf ? since + halfMs : now;
  }

  return {
    add(now) {
      turnTo(now);
      counts.inThisHalf += 1;
    },
    take() {
      if (counts.inTheLast > 0) counts.inTheLast -= 1;
      else if (counts.inThisHalf > 0) counts.inThisHalf -= 1;
    },
    isEmpty(now) {
      turnTo(now);
      return counts.inThisHalf + counts.inTheLast === 0;
    },
  };
}
