import type { Service } from "@hookwright/service";
import { StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { ConfigurationError } from "@hookwright/domain";
import type { Outboxes } from "./open-outboxes.ts";
import { asStored, checkClient, checkSchemaName, insertEvent } from "./publish-in-transaction.ts";
import type { PublishInTransactionOptions, TransactionClient } from "./publish-in-transaction.ts";

export type PublishInTransaction = (
  client: TransactionClient,
  event: unknown,
  options?: PublishInTransactionOptions,
) => Promise<void>;

/** Creates the function of an instance, which knows its own events, its schema and the sites of its store. */
export function createPublishInTransaction(options: {
  readonly store: Store;
  readonly outboxes: Outboxes;
  readonly checkEvent: Service["checkEvent"];
}): PublishInTransaction {
  const { store, outboxes, checkEvent } = options;

  /**
   * The pool of the client may have no other connection: all its transactions may publish at the same time. So a row of
   * PostgreSQL is read over the client or not at all. Then the relay finds out.
   */
  function readRowFor(client: TransactionClient, schema: string): Parameters<Service["checkEvent"]>[1] {
    const named = outboxes.all.findLast(({ outbox }) => outbox.schema === schema);
    if (named?.isInStore === true) return (key) => named.outbox.readOver(client, key);
    if (store.outbox !== undefined) return async () => undefined;
    return async (key) => {
      try {
        return { value: await store.get(key) };
      } catch (error) {
        // The outbox also takes events while the store is down.
        if (error instanceof StorageError) return undefined;
        throw error;
      }
    };
  }

  return async (client, event, { schema: given } = {}) => {
    checkClient(client);
    const schema = given ?? outboxes.schema;
    if (schema === undefined)
      throw new ConfigurationError({
        option: "outbox",
        message:
          "is required for publishInTransaction, because the store is not in PostgreSQL. Pass { url } or { pool } of the database in which your transactions run",
      });
    checkSchemaName(schema);
    const stored = asStored(event);
    await checkEvent(stored, readRowFor(client, schema));
    await insertEvent(client, stored, schema);
  };
}
