import type { Store } from "../port.ts";

/** Opens an empty store that uses the given clock (ms since the epoch). */
export type OpenStore = (options: { readonly now: () => number }) => Store | Promise<Store>;

/**
 * One obligation of every store. `run` throws if the store does not fulfil it. Independent of test
 * frameworks.
 */
export interface StoreContractCase {
  /** The behaviour, as a sentence. */
  readonly name: string;
  run(context: { readonly openStore: OpenStore }): Promise<void>;
}

/** Creates a case that needs one store and a fixed clock. */
export function storeCase(
  name: string,
  check: (store: Store, clock: { now: number }) => Promise<void>,
): StoreContractCase {
  return {
    name,
    async run({ openStore }) {
      const clock = { now: 1_800_000_000_000 };
      const store = await openStore({ now: () => clock.now });
      try {
        await check(store, clock);
      } finally {
        await store.close();
      }
    },
  };
}
