import type { Store } from "../port.ts";

/** Opens a store that is empty, and judges expiry by the clock it is given (ms since the epoch). */
export type OpenStore = (options: { readonly now: () => number }) => Store | Promise<Store>;

/** One thing every store must do. `run` throws where the store does not. It knows no test framework. */
export interface StoreContractCase {
  /** The behaviour, as a sentence. */
  readonly name: string;
  run(context: { readonly openStore: OpenStore }): Promise<void>;
}

/** A case that needs one store and a clock which stands still. */
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
