import type { Check, Store } from "@hookwright/storage";
import { keys } from "../../rows/keys.ts";

/** Leases that this worker lets others have, until the store says so. */
export interface GivenUpLeases {
  /** Lets another worker have a partition. Where that fails, the store has still to be told. */
  add(partition: string, fence: Check): Promise<void>;
  /** This worker has won the partition back. */
  forget(partition: string): void;
  /** Tells the store what it does not know yet: what is under way is waited for, what has failed is tried again. */
  settle(): Promise<void>;
}

interface GivenUp {
  readonly partition: string;
  readonly fence: Check;
  /** While the store is being told. */
  telling: Promise<void> | undefined;
}

export function createGivenUpLeases({ store }: { readonly store: Store }): GivenUpLeases {
  const givenUp = new Map<string, GivenUp>();

  async function tell(one: GivenUp): Promise<void> {
    one.telling ??= commit(one);
    try {
      await one.telling;
    } finally {
      one.telling = undefined;
    }
  }

  async function commit(one: GivenUp): Promise<void> {
    const { partition, fence } = one;
    await store.commit(partition, {
      checks: [fence],
      mutations: [{ type: "set", key: keys.leaseExpiry(partition), value: "0" }],
    });
    if (givenUp.get(partition) === one) givenUp.delete(partition);
  }

  return {
    add(partition, fence) {
      const one = { partition, fence, telling: undefined };
      givenUp.set(partition, one);
      return tell(one);
    },
    forget: (partition) => void givenUp.delete(partition),
    async settle() {
      await Promise.all([...givenUp.values()].map(tell));
    },
  };
}
