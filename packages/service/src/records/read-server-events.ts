import { createEventRegistry } from "@hookwright/domain";
import type { BuiltInEvents } from "@hookwright/domain";
import { countWebhooksOf } from "@hookwright/delivery";
import type { Store } from "@hookwright/storage";
import { switchedOffEvents } from "../webhooks/removed-events.ts";
import { createDeclaredEvents } from "./declared-events.ts";

export interface ServerEvents {
  /** The events of the specification that the server has, and those that were declared. */
  readonly names: readonly string[];
  /** How many webhooks name each event that is switched off, if any. There may be more: a limited number is read. */
  readonly switchedOff: ReadonlyMap<string, number>;
}

/** The events of a server without a program of its own. It writes nothing. */
export async function readServerEvents(store: Store, builtIn: BuiltInEvents): Promise<ServerEvents> {
  const creation = createEventRegistry({}, builtIn);
  if (!creation.ok) throw new Error("a registry without own events has no problems");
  const { registry } = creation;
  await createDeclaredEvents({ store, registry, onProblem: () => {} }).refresh();
  const switchedOff = switchedOffEvents(registry);
  if (switchedOff.length === 0) return { names: registry.names, switchedOff: new Map() };
  const { webhooks } = await countWebhooksOf(store, new Set(switchedOff));
  return { names: registry.names, switchedOff: webhooks };
}
