export { publishInTransaction } from "./outbox/publish-in-transaction.ts";
export type {
  OutboxEvent,
  PublishInTransactionOptions,
  TransactionClient,
} from "./outbox/publish-in-transaction.ts";
