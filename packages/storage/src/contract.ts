export type { OpenStore, StoreContractCase } from "./contract/contract-case.ts";
export { ContractViolation } from "./contract/assertions.ts";
export { checkStoreAgainstModel } from "./contract/model-check.ts";
export { runStoreContract } from "./contract/run-store-contract.ts";
export { storeContractCases } from "./contract/store-contract-cases.ts";
