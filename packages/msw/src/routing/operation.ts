import type { PageMeta } from "../lists/page-of.ts";
import type { World } from "../state/world.ts";
import type { OperationName } from "./operation-names.ts";

/** All query parameters. `undefined`: missing or empty. */
export interface Query {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly project_id: string | undefined;
  readonly email: string | undefined;
  readonly number: string | undefined;
  readonly status: string | undefined;
}

/** A request that has passed all general checks. */
export interface OperationRequest {
  readonly world: World;
  /** The key of the request. Empty for the one operation without a key. */
  readonly apiKey: string;
  /** The decoded path parameter. Empty if the path has none. */
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
  /** The required plan feature, besides integrations. */
  readonly needs?: "crm";
  /** Rejected for a demo account. @default false */
  readonly changes?: boolean;
  /** Needs no key, and its response has no envelope. @default false */
  readonly bare?: boolean;
  readonly hasBody?: boolean;
  /** The supported query parameters. @default none */
  readonly query?: readonly (keyof Query)[];
  /** The bounds of `limit`. @default a maximum of 100 and a default of 25 */
  readonly limit?: { readonly maximum: number; readonly default: number };
  /** @throws HookwrightError if the request is rejected */
  readonly handle: (request: OperationRequest) => Success;
}
