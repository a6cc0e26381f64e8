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

interface Waiting {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The waiting checks of one network, by e-mail address. */
type NetworkQueue = Map<string, Waiting[]>;

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
  // A Map keeps the insertion order: the last one that was never served is the newest.
  const networks = new Map<string, NetworkQueue>();
  /** When each network was last served: a number that grows. The first one is the oldest. */
  const served = new Map<string, number>();
  let servedCount = 0;
  let isRunning = false;

  function add({ network, email }: QueuedCheck, waiting: Waiting): void {
    const queue: NetworkQueue = networks.get(network) ?? new Map();
    networks.set(network, queue);
    queue.set(email, [...(queue.get(email) ?? []), waiting]);
  }

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
    let network: string | undefined;
    for (const name of networks.keys())
      if (network === undefined || compare(name, network) <= 0) network = name;
    const queue = network === undefined ? undefined : networks.get(network);
    if (network === undefined || queue === undefined) return undefined;
    const [email, [next, ...others] = []] = first(queue) ?? [];
    networks.delete(network);
    if (email !== undefined) {
      queue.delete(email);
      if (others.length > 0) queue.set(email, others);
    }
    if (queue.size > 0) networks.set(network, queue);
    noteServed(network);
    return next;
  }

  /** Only networks with failures wait for long, behind others. Their clients should not wait for an answer that comes too late. */
  function refuseOverdue(): void {
    const oldest = now() - maximumWaitMs;
    for (const [network, queue] of networks) {
      for (const [email, checks] of queue) {
        while ((checks[0]?.since ?? Infinity) < oldest) checks.shift()?.refuse();
        if (checks.length === 0) queue.delete(email);
      }
      if (queue.size === 0) networks.delete(network);
    }
  }

  /** Evicts a check if necessary. Returns false if the new check must be refused. */
  function makePlace({ network, email }: QueuedCheck): boolean {
    const own = networks.get(network);
    const ownSize = own === undefined ? 0 : sizeOf(own);
    if (ownSize < maximumOfNetwork) {
      if (sum([...networks.values()].map(sizeOf)) < maximumWaiting) return true;
      if (evictOfOther(network, ownSize)) return true;
    }
    const [largestEmail, checks = []] = (own && largestOf(own, lengthOf)) ?? [];
    if (largestEmail === undefined || checks.length <= (own?.get(email)?.length ?? 0) + 1) return false;
    evictNewest(network, largestEmail);
    return true;
  }

  /** Evicts a check of a network that comes after this one. Returns false if there is none. */
  function evictOfOther(network: string, ownSize: number): boolean {
    let last: { readonly name: string; readonly size: number } | undefined;
    for (const [name, queue] of networks) {
      const size = sizeOf(queue);
      const order =
        last === undefined
          ? 1
          : failuresOf(name) - failuresOf(last.name) || size - last.size || compare(name, last.name);
      if (order > 0) last = { name, size };
    }
    if (last === undefined) return false;
    const moreFailures = failuresOf(last.name) - failuresOf(network);
    const isAfter = last.size > ownSize + 1 || (ownSize === 0 && compare(network, last.name) <= 0);
    if (moreFailures < 0 || (moreFailures === 0 && !isAfter)) return false;
    const [largestEmail] = largestOf(networks.get(last.name) ?? new Map(), lengthOf) ?? [];
    if (largestEmail !== undefined) evictNewest(last.name, largestEmail);
    return true;
  }

  function evictNewest(network: string, email: string): void {
    const queue = networks.get(network);
    const checks = queue?.get(email);
    checks?.pop()?.refuse();
    if (checks?.length === 0) queue?.delete(email);
    if (queue?.size === 0) networks.delete(network);
  }

  async function waitForStart(check: QueuedCheck): Promise<void> {
    if (!isRunning) {
      isRunning = true;
      noteServed(check.network);
      return;
    }
    if (!makePlace(check)) throw tooManyAtOnce();
    await new Promise<void>((resolve, reject) => {
      add(check, { since: now(), start: resolve, refuse: () => reject(tooManyAtOnce()) });
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

function first<Key, Value>(map: ReadonlyMap<Key, Value>): readonly [Key, Value] | undefined {
  const [entry] = map;
  return entry;
}

/** The largest entry. Among equal entries, the one that was inserted last. */
function largestOf<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  size: (value: Value) => number,
): readonly [Key, Value] | undefined {
  let largest: readonly [Key, Value] | undefined;
  for (const entry of map) if (largest === undefined || size(entry[1]) >= size(largest[1])) largest = entry;
  return largest;
}

function sizeOf(queue: NetworkQueue): number {
  return sum([...queue.values()].map(lengthOf));
}

function lengthOf(checks: readonly unknown[]): number {
  return checks.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
