import { partitionOf } from "@hookwright/storage";
import type { Entry, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { keptMs } from "../rows/listener-inbox.ts";
import type { ListenerEvent, LoggedListenerEvent } from "../rows/listener-row.ts";

/** Events of an account that are kept for its readers, together. The oldest are removed first. */
export const maximumEvents = 1_000;
export const maximumEventCharacters = 4 * 1_024 * 1_024;

/** An event at its position. */
export interface PositionedEvent {
  readonly position: number;
  readonly event: LoggedListenerEvent;
}

/** The end of the log, and how much it holds. Expired events still count until the next trim. */
interface LogState {
  readonly last: number;
  readonly events: number;
  readonly characters: number;
}

/**
 * The events of an account's listeners in one order, which all readers in all processes share.
 *
 * Ids of deliveries cannot be this order: two processes may commit in another order than they created their ids, and a reader that continues
 * after an id would miss the late one. A publish must not wait for a common counter either. So it puts the event into an inbox, and a reader
 * moves it from there to the log. The move checks the end of the log, so that only one process assigns each position.
 */
export interface ListenerEventLog {
  /** Moves all events of the inbox to the log. */
  drain(accountId: string): Promise<void>;
  /** The position of the last event. 0 if there is none. */
  last(accountId: string): Promise<number>;
  /** The position of an event. Undefined if it is no longer kept. */
  find(accountId: string, deliveryId: string): Promise<number | undefined>;
  /** The event with an id. Undefined if it is no longer kept. */
  get(accountId: string, deliveryId: string): Promise<LoggedListenerEvent | undefined>;
  /** The next events after a position. */
  read(accountId: string, after: number, limit: number): Promise<PositionedEvent[]>;
}

const movedAtOnce = 100;
/** A large commit would block other users of the store. */
const charactersAtOnce = 256 * 1_024;
/** A trim removes more than necessary, so that it is rare. */
const trimTo = 0.75;
/** The state outlives the events. A new one begins at the current time, so positions never repeat. */
const stateKeptMs = 24 * 60 * 60 * 1_000;
/** The whole log with some space for events that were moved meanwhile. */
const maximumListed = maximumEvents + 10 * movedAtOnce;

export function createListenerEventLog({
  store,
  now,
}: Pick<ServiceContext, "store" | "now">): ListenerEventLog {
  async function drain(accountId: string): Promise<void> {
    for (;;) {
      const stateKey = keys.listenerLogState(accountId);
      const [stateText, listed] = await Promise.all([
        store.get(stateKey),
        store.list({ prefix: keys.listenerInbox(accountId), limit: movedAtOnce }),
      ]);
      if (listed.length === 0) return;
      const entries = upToSize(listed);
      const state = parseState(stateText);
      const moved = move(accountId, entries, state, now());
      const next = renderState(moved.state);
      const { ok } = await store.commit(partitionOf(accountId), {
        checks: [{ key: stateKey, value: stateText }, ...entries],
        mutations: [
          ...moved.mutations,
          { type: "set", key: stateKey, value: next, expiresInMs: stateKeptMs },
        ],
      });
      // If another process was faster, the next read finds what it left.
      if (ok && isFull(moved.state)) await trim(accountId, next);
    }
  }

  /**
   * Removes events: those of the key that has triggered the most text, or those that were published if they are more. The oldest go first.
   * If another process changes the log meanwhile, its next drain trims.
   */
  async function trim(accountId: string, stateText: string): Promise<void> {
    const entries = await store.list({ prefix: keys.listenerLog(accountId), limit: maximumListed });
    const state = parseState(stateText);
    let { length: events } = entries;
    let characters = countCharacters(entries);
    const sources = [...Map.groupBy(entries, ({ value }) => parseLogged(value).key_id).values()].map(
      (rest) => ({ rest, characters: countCharacters(rest) }),
    );
    const removed: Entry[] = [];
    while (events > maximumEvents * trimTo || characters > maximumEventCharacters * trimTo) {
      sources.sort((one, other) => other.characters - one.characters);
      const [largest] = sources;
      const oldest = largest?.rest.shift();
      if (largest === undefined || oldest === undefined) break;
      events -= 1;
      characters -= oldest.value.length;
      largest.characters -= oldest.value.length;
      removed.push(oldest);
    }
    const key = keys.listenerLogState(accountId);
    await store.commit(partitionOf(accountId), {
      checks: [{ key, value: stateText }],
      mutations: [
        ...removed.flatMap(({ key: logKey, value }): Mutation[] => [
          { type: "delete", key: logKey },
          { type: "delete", key: keys.listenerEvent(accountId, parseLogged(value).id) },
        ]),
        {
          type: "set",
          key,
          value: renderState({ last: state.last, events, characters }),
          expiresInMs: stateKeptMs,
        },
      ],
    });
  }

  async function find(accountId: string, deliveryId: string): Promise<number | undefined> {
    const text = await store.get(keys.listenerEvent(accountId, deliveryId));
    return text === undefined ? undefined : Number(text);
  }

  return {
    drain,
    find,
    async last(accountId) {
      return parseState(await store.get(keys.listenerLogState(accountId))).last;
    },
    async get(accountId, deliveryId) {
      const position = await find(accountId, deliveryId);
      if (position === undefined) return undefined;
      const text = await store.get([...keys.listenerLog(accountId), position]);
      return text === undefined ? undefined : parseLogged(text);
    },
    async read(accountId, after, limit) {
      const prefix = keys.listenerLog(accountId);
      const entries = await store.list({ prefix, after: [...prefix, after], limit });
      return entries.map(({ key, value }) => ({ position: Number(key.at(-1)), event: parseLogged(value) }));
    },
  };
}

function countCharacters(entries: readonly Entry[]): number {
  return entries.reduce((sum, { value }) => sum + value.length, 0);
}

/** At least one entry. */
function upToSize(entries: readonly Entry[]): readonly Entry[] {
  let size = 0;
  const end = entries.findIndex(({ value }, index) => {
    size += value.length;
    return index > 0 && size > charactersAtOnce;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

function move(
  accountId: string,
  entries: readonly Entry[],
  state: LogState,
  now: number,
): { readonly mutations: readonly Mutation[]; readonly state: LogState } {
  let { last, events, characters } = state;
  const mutations: Mutation[] = entries.map(({ key }) => ({ type: "delete", key }));
  const moved = entries.map(({ value }) => parseEvent(value));
  // Within one move, the order is that of the publishes. Slots of the inbox say nothing about it.
  for (const event of moved.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const position = Math.max(last + 1, now);
    const logged: LoggedListenerEvent = { ...event, previous: last };
    const value = JSON.stringify(logged);
    mutations.push(
      { type: "set", key: [...keys.listenerLog(accountId), position], value, expiresInMs: keptMs },
      {
        type: "set",
        key: keys.listenerEvent(accountId, event.id),
        value: String(position),
        expiresInMs: keptMs,
      },
    );
    last = position;
    events += 1;
    characters += value.length;
  }
  return { mutations, state: { last, events, characters } };
}

function isFull({ events, characters }: LogState): boolean {
  return events > maximumEvents || characters > maximumEventCharacters;
}

function parseState(text: string | undefined): LogState {
  return text === undefined ? { last: 0, events: 0, characters: 0 } : JSON.parse(text);
}

function renderState(state: LogState): string {
  return JSON.stringify(state);
}

function parseEvent(text: string): ListenerEvent {
  return JSON.parse(text);
}

function parseLogged(text: string): LoggedListenerEvent {
  return JSON.parse(text);
}
