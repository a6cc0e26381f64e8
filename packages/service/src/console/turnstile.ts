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

  function expectRoom(): void {
    if (inside < atOnce || waiting.length < maximumWaiting) return;
    throw new HookwrightError(
      "rate_limited",
      "Too many sign-ins at this moment. Try again in a few seconds.",
      {
        retryAfterSeconds: 5,
      },
    );
  }

  async function enter(): Promise<void> {
    expectRoom();
    if (inside < atOnce) {
      inside += 1;
      return;
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
    /** Turns away ahead of what comes before `pass`; whether there is room still then is another matter. */
    expectRoom,
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
