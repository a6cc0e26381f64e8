import type { PageMeta } from "../lists/page-of.ts";
import type { World } from "../state/world.ts";
import type { OperationName } from "./operation-names.ts";
import type { Query } from "./query.ts";

/** A request that has passed every check but those of what it names. */
export interface Asked {
  readonly world: World;
  /** The key that asks; empty on the one operation that needs none. */
  readonly apiKey: string;
  /** The value in the path, decoded; empty where the path has none. */
  readonly parameter: string;
  readonly query: Query;
  /** Undefined for operations without a body. */
  readonly body: unknown;
}

export interface Success {
  readonly data: unknown;
  /** @default false, which is 200 */
  readonly created?: boolean;
  readonly meta?: PageMeta;
}

export interface Operation {
  readonly name: OperationName;
  readonly operationId: string;
  /** Beyond integrations, which all need. */
  readonly needs?: "crm";
  /** Refused on a demo account. @default false */
  readonly changes?: boolean;
  /** Needs no key and is answered without the envelope. @default false */
  readonly bare?: boolean;
  readonly hasBody?: boolean;
  /** The parameters that are looked at. @default none */
  readonly query?: readonly (keyof Query)[];
  /** The highest `limit`, which is also the usual one of samples. @default 100, and 25 where none is sent */
  readonly limit?: { readonly maximum: number; readonly usual: number };
  /** @throws HookwrightError for what is refused */
  readonly handle: (asked: Asked) => Success;
}
