import { HookwrightError } from "@hookwright/domain";

/** Does work once it is this one's turn. */
type Pass = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets so many through at once, the others in turn, and turns away whom it has no room to wait for: work that anybody may ask
 * for must not pile up.
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
  let admitted = 0;

  async function enter(): Promise<void> {
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

  async function pass<Result>(work: () => Promise<Result>): Promise<Result> {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    /**
     * Whoever is admitted has a place for as long as its work takes, and cannot be turned away any more when it passes.
     *
     * @throws HookwrightError `rate_limited`
     */
    async admit<Result>(work: (pass: Pass) => Promise<Result>): Promise<Result> {
      if (admitted >= atOnce + maximumWaiting) {
        throw new HookwrightError(
          "rate_limited",
          "Too many sign-ins at this moment. Try again in a few seconds.",
          {
            retryAfterSeconds: 5,
          },
        );
      }
      admitted += 1;
      try {
        return await work(pass);
      } finally {
        admitted -= 1;
      }
    },
  };
}
