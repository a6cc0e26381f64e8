import { tooManyAtOnce } from "./too-many-sign-ins.ts";

export interface QueuedCheck {
  readonly network: string;
  readonly email: string;
}

export interface PasswordQueue {
  /** Runs a check when its turn comes. @throws HookwrightError `rate_limited` if there is no place for it */
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

/** The checks of one network that wait, by e-mail address. */
type NetworkQueue = Map<string, Waiting[]>;

/**
 * Runs one password check at a time, because a key derivation costs a tenth of a second of a processor core and 32 MiB. Networks take
 * turns, and within a network the e-mail addresses take turns. So a flood from one network delays another network by one check.
 *
 * The queue is bounded. When it is full, the newest check of the largest network is refused, to make a place for a network that
 * has fewer. When a network has all its places, the same holds for its e-mail addresses.
 */
export function createPasswordQueue({
  maximumWaiting,
  maximumOfNetwork,
}: PasswordQueueOptions): PasswordQueue {
  // A Map keeps the order of insertion: whoever had a turn is inserted again at the end.
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

  /** False if the newcomer itself is one of the largest, and has to be refused. */
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

  async function takeTurn(check: QueuedCheck): Promise<void> {
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
      await takeTurn(check);
      try {
        return await work();
      } finally {
        const next = takeNext();
        if (next === undefined) isRunning = false;
        // The turn passes to the next one.
        else next.start();
      }
    },
  };
}

function first<Key, Value>(map: ReadonlyMap<Key, Value>): readonly [Key, Value] | undefined {
  const [entry] = map;
  return entry;
}

/** Of several that are equally large, the one that was inserted last. */
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
