import type { EventRegistry, OnError } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import type { OrderFilters } from "../use-cases.ts";

export interface SearchContext {
  readonly store: Store;
  readonly events: EventRegistry;
  readonly findOrdersOfHost: FindOrdersOfHost | undefined;
  /** What a failure of the host's repository does. @default "skip": its orders are left out */
  readonly onHostFailure?: "skip" | "throw" | undefined;
  /** Receives records that cannot be read. They are left out. */
  readonly onError: OnError;
}

/** The ids of orders that the host keeps: those with the number or the address of any filter. `isComplete` false: there are more. */
export type FindOrdersOfHost = (
  accountId: string,
  anyOf: readonly Pick<OrderFilters, "number" | "email">[],
  onFailure: "skip" | "throw",
) => Promise<{ readonly ids: readonly string[]; readonly isComplete: boolean }>;
