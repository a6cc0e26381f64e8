import { countWebhooksOf } from "@hookwright/delivery";
import { isEventName, isOwnEventName } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** An event that an earlier start knew, and that still has webhooks. */
export interface RemovedEvent {
  readonly event: string;
  readonly webhooks: number;
  /** There may be more webhooks than were counted. */
  readonly isCountedFully: boolean;
}

/** Commits may fail because another process starts at the same time. */
const maximumTries = 5;

/**
 * Remembers the host's events in the store, and returns those that are no longer known but still have webhooks of their own. An event
 * without webhooks is forgotten, unless a webhook has every event.
 */
export async function findRemovedEvents(store: Store, events: EventRegistry): Promise<RemovedEvent[]> {
  const key = keys.knownOwnEvents();
  const own = events.names.filter((name) => !isEventName(name));
  for (let tries = 0; tries < maximumTries; tries++) {
    const stored = await store.get(key);
    const before: readonly string[] = stored === undefined ? [] : JSON.parse(stored);
    const missing = before.filter((name) => events.find(name) === undefined);
    const counted =
      missing.length === 0 ? undefined : await countWebhooksOf(store, new Set([...missing, "*"]));
    const removed = missing.flatMap((event) => {
      const webhooks = counted?.webhooks.get(event) ?? 0;
      const isCountedFully = counted?.isComplete ?? true;
      return webhooks === 0 && isCountedFully ? [] : [{ event, webhooks, isCountedFully }];
    });
    const isAnyForAll = counted?.webhooks.has("*") ?? false;
    const kept = isAnyForAll ? missing : removed.map(({ event }) => event);
    const after = [...own, ...kept].toSorted();
    if (after.join() === before.join()) return removed;
    const committed = await store.commit(key[0], {
      checks: [{ key, value: stored }],
      mutations: [{ type: "set", key, value: JSON.stringify(after) }],
    });
    if (committed.ok) return removed;
  }
  return [];
}

/** Whether a process on this store has defined the event, or the host has declared it. Events that were removed and that no webhook gets are forgotten. */
export async function isKnownOwnEvent(store: Store, event: string): Promise<boolean> {
  // No key is longer than a name may be.
  const declared = isOwnEventName(event) ? [keys.declaredEvent(event)] : [];
  const [stored, ...rows] = await store.getMany([keys.knownOwnEvents(), ...declared]);
  const known: readonly string[] = stored === undefined ? [] : JSON.parse(stored);
  return known.includes(event) || rows.some((row) => row !== undefined);
}
