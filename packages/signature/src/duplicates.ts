export { createDuplicateGuard } from "./duplicates/duplicate-guard.ts";
export type {
  ClaimedEvent,
  DuplicateGuard,
  DuplicateGuardOptions,
  EventClaim,
  EventIdentity,
} from "./duplicates/duplicate-guard.ts";
export type { Awaitable, DuplicateStorage } from "./duplicates/duplicate-storage.ts";
export { memoryDuplicates } from "./duplicates/memory-duplicates.ts";
export { redisDuplicates } from "./duplicates/redis-duplicates.ts";
export { unstorageDuplicates } from "./duplicates/unstorage-duplicates.ts";
export type { ItemStorage, UnstorageDuplicates } from "./duplicates/unstorage-duplicates.ts";
