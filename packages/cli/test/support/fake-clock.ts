export interface FakeClock {
  now(): number;
  /** Advances the clock at once. */
  sleep(milliseconds: number): Promise<void>;
}

/** A clock that only waiting advances. */
export function createFakeClock(start: number): FakeClock {
  let time = start;
  return {
    now: () => time,
    async sleep(milliseconds) {
      time += milliseconds;
    },
  };
}
