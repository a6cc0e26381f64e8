export { isSameKey, partitionOf, partitions } from "./port.ts";
export type {
  Check,
  Commit,
  CommitResult,
  Entry,
  Key,
  KeyPart,
  CountOptions,
  ListOptions,
  Mutation,
  NotificationListener,
  Outbox,
  OutboxRejection,
  OutboxRejections,
  OutboxRow,
  OutboxSession,
  OutboxState,
  RejectedOutboxRow,
  StorageFacts,
  StorageSpace,
  Store,
} from "./port.ts";
export { StorageError, type StorageErrorCode, type StorageErrorReason } from "./storage-error.ts";
