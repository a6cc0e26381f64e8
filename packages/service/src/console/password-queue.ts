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

/**
 * Runs one password check at a time, because a key derivation needs 0.1 s of CPU time and 32 MiB. Networks with the fewest recent
 * failures are served first. So a network without failures waits for one check, however many others guess passwords. Networks with
 * equally many failures take turns, and so do the e-mail addresses of a network.
 *
 * When the queue is full, it evicts the newest check of the network with the most failures, or of the largest one if none has more. When
 * a network has reached its maximum, it evicts the newest check of its largest e-mail address. A check that has waited too long is refused.
 */
export function createPasswordQueue(options: PasswordQueueOptions): PasswordQueue {
  const { maximumWaiting, maximumOfNetwork, maximumWaitMs, failuresOf, now } = options;
  // A Map keeps the insertion order. A network that was served is inserted again at the end.
  const networks = new Map<string, NetworkQueue>();
  let isRunning = false;

  function add({ network, email }: QueuedCheck, waiting: Waiting): void {
    const queue: NetworkQueue = networks.get(network) ?? new Map();
    networks.set(network, queue);
    queue.set(email, [...(queue.get(email) ?? []), waiting]);
  }

  function takeNext(): Waiting | undefined {
    refuseOverdue();
    const [network, queue] = smallestOf(networks, (_, name) => failuresOf(name)) ?? [];
    if (network === undefined || queue === undefined) return undefined;
    const [email, [next, ...others] = []] = first(queue) ?? [];
    networks.delete(network);
    if (email !== undefined) {
      queue.delete(email);
      if (others.length > 0) queue.set(email, others);
    }
    if (queue.size > 0) networks.set(network, queue);
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

  /** Evicts a check of a network that has more failures, or as many and more checks. */
  function evictOfOther(network: string, ownSize: number): boolean {
    const worst = Math.max(...[...networks.keys()].map(failuresOf));
    const own = failuresOf(network);
    const [name, largest] =
      largestOf(networks, (queue, other) => (failuresOf(other) === worst ? sizeOf(queue) : -1)) ?? [];
    if (name === undefined || largest === undefined || own > worst) return false;
    if (own === worst && sizeOf(largest) <= ownSize + 1) return false;
    const [largestEmail] = largestOf(largest, lengthOf) ?? [];
    if (largestEmail !== undefined) evictNewest(name, largestEmail);
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

/** The smallest entry. Among equal entries, the one that was inserted first. */
function smallestOf<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  size: (value: Value, key: Key) => number,
): readonly [Key, Value] | undefined {
  return largestOf(new Map([...map].toReversed()), (value, key) => -size(value, key));
}

/** The largest entry. Among equal entries, the one that was inserted last. */
function largestOf<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  size: (value: Value, key: Key) => number,
): readonly [Key, Value] | undefined {
  let largest: readonly [Key, Value] | undefined;
  let largestSize = -Infinity;
  for (const entry of map) {
    const entrySize = size(entry[1], entry[0]);
    if (entrySize >= largestSize) [largest, largestSize] = [entry, entrySize];
  }
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
