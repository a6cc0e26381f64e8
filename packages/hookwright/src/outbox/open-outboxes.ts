import { StorageError } from "@hookwright/storage";
import type { Outbox } from "@hookwright/storage";
import type { PostgresSource } from "@hookwright/storage/postgres";
import { ConfigurationError } from "../options/configuration-error.ts";

/** The outboxes of an instance: that of its store, that of its option, or both. */
export interface Outboxes {
  readonly all: readonly { readonly outbox: Outbox; readonly isInStore: boolean }[];
  /** The schema into which the instance publishes. */
  readonly schema: string | undefined;
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
  readonly source: PostgresSource | undefined;
}): Promise<Outboxes> {
  const { ofStore, source } = options;
  const own = ofStore === undefined ? [] : [{ outbox: ofStore, isInStore: true }];
  if (source === undefined) return { all: own, schema: ofStore?.schema, close: async () => {} };
  // Loaded only when it is needed.
  const { openPostgresOutbox } = await import("@hookwright/storage/postgres");
  const opened = await openPostgresOutbox(source).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === "invalid_argument")
      throw new ConfigurationError({ option: "outbox", message: error.message });
    throw error;
  });
  if (opened.identity === ofStore?.identity) {
    await opened.close();
    return { all: own, schema: opened.schema, close: async () => {} };
  }
  return {
    all: [...own, { outbox: opened, isInStore: false }],
    schema: opened.schema,
    close: () => opened.close(),
  };
}
