import type { ChangeableRegistry } from "@hookwright/domain";
import { countWebhooksOf } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { readUnknownEvents } from "../webhooks/removed-events.ts";
import { createDeclaredEvents } from "./declared-events.ts";

export interface ServerEvents {
  /** The events of the registry, and those that were declared. */
  readonly names: readonly string[];
  /**
   * How many webhooks name each event that is switched off or no longer defined, if any. There may be more: a limited number is
   * read.
   */
  readonly removed: ReadonlyMap<string, number>;
}

/** The events of a server. It writes nothing, and adds the declared events to the registry. */
export async function readServerEvents(store: Store, registry: ChangeableRegistry): Promise<ServerEvents> {
  await createDeclaredEvents({ store, registry, onProblem: () => {} }).refresh();
  const unknown = await readUnknownEvents(store, registry);
  if (unknown.length === 0) return { names: registry.names, removed: new Map() };
  const { webhooks } = await countWebhooksOf(store, new Set(unknown));
  return { names: registry.names, removed: webhooks };
}
