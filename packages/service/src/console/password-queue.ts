import { tooManyAtOnce } from "./too-many-sign-ins.ts";

export interface QueuedCheck {
  readonly network: string;
  readonly email: string;
}

export interface PasswordQueue {
  /** Queues and runs a check. @throws HookwrightError `rate_limited` if the queue is full */
  run<Result>(check: QueuedCheck, work: () => Promise<Result>): Promise<Result>;
}

export interface PasswordQueueOptions {
  readonly maximumWaiting: number;
  readonly maximumOfNetwork: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** The waiting checks of one network, by e-mail address. */
type NetworkQueue = Map<string, Waiting[]>;

/**
 * Runs one password check at a time, because a key derivation needs 0.1 s of CPU time and 32 MiB. The queue serves networks round-robin,
 * and the e-mail addresses of a network round-robin. So a flood from one network delays another network by one check.
 *
 * When the queue is full, it evicts the newest check of the largest network in favour of a smaller network. When a network has reached
 * its maximum, the same applies to its e-mail addresses.
 */
export function createPasswordQueue({
  maximumWaiting,
  maximumOfNetwork,
}: PasswordQueueOptions): PasswordQueue {
  // A Map keeps the insertion order. A network that was served is inserted again at the end.
  const networks = new Map<string, NetworkQueue>();
  let isRunning = false;

  function add({ network, email }: QueuedCheck, waiting: Waiting): void {
    const queue: NetworkQueue = networks.get(network) ?? new Map();
    networks.set(network, queue);
    queue.set(email, [...(queue.get(email) ?? []), waiting]);
  }

  function takeNext(): Waiting | undefined {
    const [network, queue] = first(networks) ?? [];
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

  /** Evicts a check if necessary. Returns false if the new check must be refused. */
  function makePlace({ network, email }: QueuedCheck): boolean {
    const own = networks.get(network);
    const ownSize = own === undefined ? 0 : sizeOf(own);
    if (ownSize < maximumOfNetwork) {
      if (sum([...networks.values()].map(sizeOf)) < maximumWaiting) return true;
      const [name, largest] = largestOf(networks, sizeOf) ?? [];
      if (name !== undefined && largest !== undefined && sizeOf(largest) > ownSize + 1) {
        const [largestEmail] = largestOf(largest, lengthOf) ?? [];
        if (largestEmail !== undefined) evictNewest(name, largestEmail);
        return true;
      }
    }
    const [largestEmail, checks = []] = (own && largestOf(own, lengthOf)) ?? [];
    if (largestEmail === undefined || checks.length <= (own?.get(email)?.length ?? 0) + 1) return false;
    evictNewest(network, largestEmail);
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
      add(check, { start: resolve, refuse: () => reject(tooManyAtOnce()) });
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
