import type { Key, Mutation } from "@hookwright/storage";
import { keys } from "./keys.ts";
import { hears, parseListenerIndex } from "./listener-row.ts";
import type { ListenerEvent } from "./listener-row.ts";

/** The lifetime of an event for listeners. A reader that returns within ten minutes finds every event since it left. */
export const keptMs = 11 * 60 * 1_000;

/** Part of the commit that publishes an event. */
export interface InboxPart {
  readonly mutations: readonly Mutation[];
  readonly notify: readonly Key[];
}

/** Puts events for listeners into the store. It reads nothing: see {@link InboxPart}. */
export interface ListenerInbox {
  /**
   * The part of a commit that stores an event once for all listeners of an account.
   *
   * @param indexText the row of `keys.listenerIndex`
   * @returns undefined if no listener gets the event
   */
  add(accountId: string, indexText: string | undefined, event: ListenerEvent): InboxPart | undefined;
}

/**
 * Events that wait for a reader, for each account and writing process. The newest replace the oldest, so an account that publishes much while
 * no reader is connected cannot fill the store.
 */
const slots = 1_024;
/** The maximum number of accounts whose last slot is in memory. */
const maximumCached = 10_000;

/** @param options.writer identifies this process among all that publish to the store */
export function createListenerInbox({ writer }: { readonly writer: string }): ListenerInbox {
  const lastSlots = new Map<string, number>();

  function nextSlot(accountId: string): number {
    const slot = ((lastSlots.get(accountId) ?? -1) + 1) % slots;
    if (lastSlots.size >= maximumCached && !lastSlots.has(accountId)) lastSlots.clear();
    lastSlots.set(accountId, slot);
    return slot;
  }

  return {
    add(accountId, indexText, event) {
      if (indexText === undefined) return undefined;
      if (!parseListenerIndex(indexText).some((listener) => hears(listener, event))) return undefined;
      return {
        mutations: [
          {
            type: "set",
            key: keys.listenerInboxSlot(accountId, writer, nextSlot(accountId)),
            value: JSON.stringify(event),
            expiresInMs: keptMs,
          },
        ],
        notify: [keys.listenerInbox(accountId)],
      };
    },
  };
}
