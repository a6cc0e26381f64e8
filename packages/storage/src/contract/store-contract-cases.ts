import { commitCases } from "./commit-cases.ts";
import { concurrencyCases } from "./concurrency-cases.ts";
import type { StoreContractCase } from "./contract-case.ts";
import { expiryCases } from "./expiry-cases.ts";
import { groupCases } from "./group-cases.ts";
import { keyCases } from "./key-cases.ts";
import { lifeCases } from "./life-cases.ts";
import { listCases } from "./list-cases.ts";
import { notificationCases } from "./notification-cases.ts";
import { valueCases } from "./value-cases.ts";

/** All obligations of a store, one case for each behaviour. Independent of test frameworks. */
export const storeContractCases: readonly StoreContractCase[] = [
  ...valueCases,
  ...keyCases,
  ...listCases,
  ...groupCases,
  ...commitCases,
  ...expiryCases,
  ...concurrencyCases,
  ...notificationCases,
  ...lifeCases,
];
