export { ConfigurationError } from "./configuration-error.ts";
export { createHookwright } from "./create-hookwright.ts";
export type { Hookwright } from "./create-hookwright.ts";
export type { HookwrightOptions, Logger, Role } from "./options.ts";
export { accountImportKey, isRowOfAccount, readAccountRows } from "@hookwright/service";
export type { AccountRowEntry } from "@hookwright/service";
