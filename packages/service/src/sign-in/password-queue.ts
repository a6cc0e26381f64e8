import { tooManyAtOnce } from "./too-many-sign-ins.ts";

export interface QueuedCheck {
  readonly network: string;
  readonly email: string;
}

export interface PasswordQueue {
  /** Queues and runs a check. @throws HookwrightError `rate_limited` if the queue is full, or the check has waited too long */
  run<Result>(check: QueuedCheck, work: () => Promise<Result>): Promise<Result>;
}

export interface PasswordQueueOptions {
  readonly maximumWaiting: number;
  readonly maximumOfNetwork: number;
  readonly maximumWaitMs: number;
  /** The recent failures of a network. */
  readonly failuresOf: (network: string) => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Waiting extends QueuedCheck {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

const maximumServed = 10_000;

/**
 * Runs one password check at a time, because a key derivation needs 0.1 s of CPU time and 32 MiB. It serves the network with the fewest
 * recent failures first, then the one that was not served for longest, and of networks that were never served the newest. So a new
 * network without failures waits for one check, however many others guess passwords. The e-mail addresses of a network take turns.
 *
 * When the queue is full, it evicts the newest check of the network with the most failures, then the most checks, then the last place.
 * When a network has reached its maximum, it evicts the newest check of its largest e-mail address. A check that has waited too long is
 * refused.
 */
export function createPasswordQueue(options: PasswordQueueOptions): PasswordQueue {
  const { maximumWaiting, maximumOfNetwork, maximumWaitMs, failuresOf, now } = options;
  /** In order of arrival, and the addresses of a network in the order of their turns. */
  let waiting: readonly Waiting[] = [];
  /** When each network was last served: a number that grows. The first one is the oldest. */
  const served = new Map<string, number>();
  let servedCount = 0;
  let isRunning = false;

  /** Negative if the first network is served before the second one. */
  function compare(one: string, other: string): number {
    return failuresOf(one) - failuresOf(other) || (served.get(one) ?? 0) - (served.get(other) ?? 0);
  }

  function noteServed(network: string): void {
    served.delete(network);
    served.set(network, ++servedCount);
    const [oldest] = served.keys();
    if (served.size > maximumServed && oldest !== undefined) served.delete(oldest);
  }

  function takeNext(): Waiting | undefined {
    refuseOverdue();
    const networks = [...Map.groupBy(waiting, networkOf).keys()];
    const network = networks.reduce(
      (best, each) => (compare(each, best) <= 0 ? each : best),
      networks[0] ?? "",
    );
    const next = waiting.find((check) => check.network === network);
    if (next === undefined) return undefined;
    const rest = waiting.filter((check) => check !== next);
    const isOfAddress = (check: Waiting) => check.network === network && check.email === next.email;
    waiting = [...rest.filter((check) => !isOfAddress(check)), ...rest.filter(isOfAddress)];
    noteServed(next.network);
    return next;
  }

  /** Only networks with failures wait for long, behind others. Their clients should not wait for an answer that comes too late. */
  function refuseOverdue(): void {
    const oldest = now() - maximumWaitMs;
    for (const check of waiting) if (check.since < oldest) evict(check);
  }

  function evict(check: Waiting | undefined): void {
    waiting = waiting.filter((each) => each !== check);
    check?.refuse();
  }

  /** Evicts a check if necessary. Returns false if the new check must be refused. */
  function makePlace({ network, email }: QueuedCheck): boolean {
    const own = waiting.filter((check) => check.network === network);
    if (own.length < maximumOfNetwork) {
      if (waiting.length < maximumWaiting) return true;
      if (evictOfOther(network, own.length)) return true;
    }
    const largest = largestAddress(own);
    if (largest.length <= own.filter((check) => check.email === email).length + 1) return false;
    evict(largest.at(-1));
    return true;
  }

  /** Evicts a check of a network that comes after this one. Returns false if there is none. */
  function evictOfOther(network: string, ownSize: number): boolean {
    const [first, ...others] = Map.groupBy(waiting, networkOf);
    if (first === undefined) return false;
    const [name, checks] = others.reduce((last, each) => {
      const order =
        failuresOf(each[0]) - failuresOf(last[0]) ||
        each[1].length - last[1].length ||
        compare(each[0], last[0]);
      return order > 0 ? each : last;
    }, first);
    const moreFailures = failuresOf(name) - failuresOf(network);
    const isAfter = checks.length > ownSize + 1 || (ownSize === 0 && compare(network, name) <= 0);
    if (moreFailures < 0 || (moreFailures === 0 && !isAfter)) return false;
    evict(largestAddress(checks).at(-1));
    return true;
  }

  async function waitForStart(check: QueuedCheck): Promise<void> {
    if (!isRunning) {
      isRunning = true;
      noteServed(check.network);
      return;
    }
    if (!makePlace(check)) throw tooManyAtOnce();
    await new Promise<void>((resolve, reject) => {
      const refuse = (): void => reject(tooManyAtOnce());
      waiting = [...waiting, { ...check, since: now(), start: resolve, refuse }];
    });
  }

  return {
    async run(check, work) {
      await waitForStart(check);
      try {
        return await work();
      } finally {
        const next = takeNext();
        if (next === undefined) isRunning = false;
        // The next check starts, so `isRunning` stays true.
        else next.start();
      }
    },
  };
}

function networkOf({ network }: QueuedCheck): string {
  return network;
}

/** The checks of the address with the most. Among equal ones, of the last. */
function largestAddress(checks: readonly Waiting[]): readonly Waiting[] {
  const byAddress = [...Map.groupBy(checks, ({ email }) => email).values()];
  return byAddress.reduce<readonly Waiting[]>((one, other) => (other.length >= one.length ? other : one), []);
}
