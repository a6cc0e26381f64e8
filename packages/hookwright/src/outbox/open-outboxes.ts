import { StorageError } from "@hookwright/storage";
import type { Outbox } from "@hookwright/storage";
import { ConfigurationError } from "@hookwright/domain";
import type { OutboxOptions } from "../options/options.ts";

/** The outboxes of an instance: that of its store, that of its option, or both. */
export interface Outboxes {
  readonly all: readonly { readonly outbox: Outbox; readonly isInStore: boolean }[];
  /** The schema into which the instance publishes. */
  readonly schema: string | undefined;
  /** Whether transactions that insert events notify the relays. */
  readonly notify: boolean;
  /** Closes the outbox of the option. The other one is closed with the store. */
  close(): Promise<void>;
}

/**
 * Opens the outbox of the option. If it is the outbox of the store, only that one is used, because its events are published
 * exactly once.
 *
 * @throws ConfigurationError `invalid_option`
 * @throws StorageError `unavailable`, `missing_dependency`
 */
export async function openOutboxes(options: {
  readonly ofStore: Outbox | undefined;
  readonly given: OutboxOptions | undefined;
}): Promise<Outboxes> {
  const { ofStore, given } = options;
  const own = ofStore === undefined ? [] : [{ outbox: ofStore, isInStore: true }];
  const { notify = true } = given ?? {};
  const ofStoreOnly: Outboxes = { all: own, schema: ofStore?.schema, notify, close: async () => {} };
  if (given === undefined) return ofStoreOnly;
  if (!("url" in given || "pool" in given)) {
    if (ofStore !== undefined) return ofStoreOnly;
    throw new ConfigurationError({
      option: "outbox",
      message: "must have url or pool, because the store has no outbox",
    });
  }
  // Loaded only when it is needed.
  const { openPostgresOutbox } = await import("@hookwright/storage/postgres");
  const opened = await openPostgresOutbox(given).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === "invalid_argument")
      throw new ConfigurationError({ option: "outbox", message: error.message });
    throw error;
  });
  if (opened.identity === ofStore?.identity) {
    await opened.close();
    return { ...ofStoreOnly, schema: opened.schema };
  }
  return {
    all: [...own, { outbox: opened, isInStore: false }],
    schema: opened.schema,
    notify,
    close: () => opened.close(),
  };
}
