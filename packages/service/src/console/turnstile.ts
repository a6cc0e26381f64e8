import { HookwrightError } from "@hookwright/domain";

/**
 * Lets so many through at once, the others in turn, and turns away whom it has no room to wait for: work that anybody may ask
 * for must not pile up.
 *
 * @throws HookwrightError `rate_limited`
 */
export function createTurnstile({
  atOnce,
  maximumWaiting,
}: {
  readonly atOnce: number;
  readonly maximumWaiting: number;
}) {
  const waiting: (() => void)[] = [];
  let inside = 0;

  async function enter(): Promise<void> {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    if (waiting.length >= maximumWaiting) {
      throw new HookwrightError(
        "rate_limited",
        "Too many sign-ins at this moment. Try again in a few seconds.",
        {
          retryAfterSeconds: 5,
        },
      );
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** Whoever waits longest takes the place over. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  }

  return {
    async pass<Result>(work: () => Promise<Result>): Promise<Result> {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
