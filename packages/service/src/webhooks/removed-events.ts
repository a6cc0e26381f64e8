import { countWebhooksOf } from "@hookwright/delivery";
import { eventNames, isEventName, isOwnEventName } from "@hookwright/domain";
import type { EventRegistry } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { keys } from "../rows/keys.ts";

/** An event that is not known any more, and that still has webhooks. */
export interface RemovedEvent {
  readonly event: string;
  readonly webhooks: number;
  /** There may be more webhooks than were counted. */
  readonly isCountedFully: boolean;
}

/** Events that a server does not have: those of the specification that are switched off, and those of the host that are gone. */
export async function readUnknownEvents(store: Store, events: EventRegistry): Promise<readonly string[]> {
  const known = toNames(await store.get(keys.knownOwnEvents()));
  return [...switchedOffEvents(events), ...known.filter((name) => events.find(name) === undefined)];
}

function toNames(stored: string | undefined): readonly string[] {
  return stored === undefined ? [] : JSON.parse(stored);
}

function switchedOffEvents(events: EventRegistry): readonly string[] {
  return eventNames.filter((name) => events.find(name) === undefined);
}

/** Commits may fail because another process starts at the same time. */
const maximumTries = 5;

/**
 * Remembers the host's events in the store. Returns those that are no longer known, and those of the specification that are switched
 * off, if they still have webhooks of their own. An event without webhooks is forgotten, unless a webhook has every event.
 */
export async function findRemovedEvents(store: Store, events: EventRegistry): Promise<RemovedEvent[]> {
  const key = keys.knownOwnEvents();
  const own = events.names.filter((name) => !isEventName(name));
  const switchedOff = switchedOffEvents(events);
  for (let tries = 0; tries < maximumTries; tries++) {
    const stored = await store.get(key);
    const before = toNames(stored);
    const missing = before.filter((name) => events.find(name) === undefined);
    const wanted = [...missing, ...switchedOff];
    const { webhooks: counts, isComplete: isCountedFully } =
      wanted.length === 0
        ? { webhooks: new Map<string, number>(), isComplete: true }
        : await countWebhooksOf(store, new Set([...wanted, "*"]));
    const removed = wanted.flatMap((event) => {
      const webhooks = counts.get(event) ?? 0;
      // An event of the specification need not have had any.
      const isNoneLeft = webhooks === 0 && (isCountedFully || isEventName(event));
      return isNoneLeft ? [] : [{ event, webhooks, isCountedFully }];
    });
    const kept = missing.filter((event) => counts.has("*") || removed.some((each) => each.event === event));
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
  const known = toNames(stored);
  return known.includes(event) || rows.some((row) => row !== undefined);
}
