import { commitCases } from "./commit-cases.ts";
import { concurrencyCases } from "./concurrency-cases.ts";
import type { StoreContractCase } from "./contract-case.ts";
import { expiryCases } from "./expiry-cases.ts";
import { keyCases } from "./key-cases.ts";
import { lifeCases } from "./life-cases.ts";
import { listCases } from "./list-cases.ts";
import { valueCases } from "./value-cases.ts";

/** Everything a store must do, one behaviour a case. They know no test framework. */
export const storeContractCases: readonly StoreContractCase[] = [
  ...valueCases,
  ...keyCases,
  ...listCases,
  ...commitCases,
  ...expiryCases,
  ...concurrencyCases,
  ...lifeCases,
];
