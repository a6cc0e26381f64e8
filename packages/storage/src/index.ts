export { isSameKey, partitionOf, partitions } from "./port.ts";
export type {
  Check,
  Commit,
  CommitResult,
  Entry,
  Key,
  KeyPart,
  ListOptions,
  Mutation,
  Store,
} from "./port.ts";
export { StorageError, type StorageErrorCode } from "./storage-error.ts";
