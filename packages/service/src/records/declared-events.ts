import {
  declaredEventInputSchema,
  HookwrightError,
  isEventName,
  isOwnEventName,
  parseInput,
  parseJson,
  stringifyJson,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { ChangeableRegistry, DeclaredEvent, HostEventType, RegisteredEvent } from "@hookwright/domain";
import { countWebhooksOf } from "@hookwright/delivery";
import type { Clock } from "@hookwright/delivery";
import type { Entry, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ServiceContext } from "../context.ts";
import { noSuch } from "../lookups/no-such.ts";
import { refreshRegularly } from "../refresh-regularly.ts";
import { keys } from "../rows/keys.ts";
import type { HostEventTypeUseCases } from "../use-cases.ts";

/** The events that the host has declared over the host API, as this process knows them. */
export interface DeclaredEvents {
  /** Reads them if they have changed. @throws StorageError if the store cannot be read */
  refresh(): Promise<void>;
  /** Refreshes them until the returned function is called. */
  follow(clock: Clock): () => void;
  find(event: string): DeclaredEvent | undefined;
  /** The problems that some events would have together. */
  findProblems: ChangeableRegistry["findProblems"];
}

export interface DeclaredEventsOptions {
  readonly store: Store;
  readonly registry: ChangeableRegistry;
  /** An event that is left out, for example because the program defines it, too. */
  readonly onProblem: (problem: { readonly event: string; readonly problem: string }) => void;
}

/** For a service without the host API. */
export const noDeclaredEvents: DeclaredEvents = {
  refresh: async () => {},
  follow: () => () => {},
  find: () => undefined,
  findProblems: () => {
    throw new HookwrightError("invalid_state", "This server takes no declared events.");
  },
};

/** Every process sees a change within a second (contract: Own events). */
const refreshMs = 500;
/** Rows have at most some hundred KiB. */
const pageSize = 20;

export function createDeclaredEvents({ store, registry, onProblem }: DeclaredEventsOptions): DeclaredEvents {
  let mark: string | undefined;
  let known: ReadonlyMap<string, DeclaredEvent> = new Map();
  let refreshing: Promise<void> | undefined;

  async function readChanged(): Promise<void> {
    const stored = await store.get(keys.declaredEventsMark());
    if (stored === mark) return;
    known = await readAll(store);
    mark = stored;
    for (const { event, message } of registry.declare(known))
      onProblem({ event: event ?? "", problem: message });
  }

  async function refresh(): Promise<void> {
    // A read that began before a change may miss it.
    await refreshing?.catch(() => {});
    refreshing = readChanged();
    await refreshing;
  }

  return {
    refresh,
    find: (event) => known.get(event),
    findProblems: (events) => registry.findProblems(events),
    follow: (clock) => refreshRegularly({ clock, intervalMs: refreshMs, refresh }),
  };
}

async function readAll(store: Store): Promise<Map<string, DeclaredEvent>> {
  const events = new Map<string, DeclaredEvent>();
  for await (const page of listPages(store, { prefix: keys.declaredEvents(), pageSize }))
    for (const entry of page) events.set(String(entry.key.at(-1)), parseDeclaredEvent(entry));
  return events;
}

export function parseDeclaredEvent({ value }: Pick<Entry, "value">): DeclaredEvent {
  return toDeclared(parseJson(value));
}

/** The row was checked when it was written. */
function toDeclared(row: unknown): DeclaredEvent;
function toDeclared(row: unknown): unknown {
  return row;
}

/** The event types of the instance, and those that the host declares itself. */
export function createHostEventTypes(
  context: ServiceContext,
  declared: DeclaredEvents,
): HostEventTypeUseCases {
  const { store, events, nextArrival } = context;
  const markKey = keys.declaredEventsMark();
  const partition = markKey[0];

  /** @throws HookwrightError `invalid_state` for an event that the host has not declared itself */
  function expectDeclarable(event: string): void {
    const isOfProgram = events.find(event) !== undefined && declared.find(event) === undefined;
    if (!isEventName(event) && !isOfProgram) return;
    const why = isEventName(event)
      ? "is an event of the specification. Its name stays reserved, also while it is switched off"
      : "is an event of the program";
    throw new HookwrightError(
      "invalid_state",
      `${event} ${why}. Only events that were declared here can be changed here.`,
    );
  }

  function expectType(event: string): HostEventType {
    const known = events.find(event);
    if (known === undefined) throw noSuch("event type", "server");
    return toHostEventType(known, declared.find(event));
  }

  return {
    list: async () => events.names.map(expectType),

    async put(event, input, origin) {
      expectDeclarable(event);
      const definition: DeclaredEvent = parseInput(declaredEventInputSchema, withoutEmpty(input));
      const value = stringifyJson(definition);
      const key = keys.declaredEvent(event);
      const created = await commitAudited(context, partition, origin, async () => {
        const mark = await store.get(markKey);
        const stored = await readAll(store);
        const before = stored.get(event);
        const problems = declared
          .findProblems(new Map([...stored, [event, definition]]))
          .filter((problem) => problem.event === event);
        if (problems.length > 0) throw validationFailed(problems.map(({ message }) => toProblem(message)));
        const isCreated = before === undefined;
        if (!isCreated && stringifyJson(before) === value) return { result: false };
        return {
          commit: {
            checks: [{ key: markKey, value: mark }],
            mutations: [
              { type: "set" as const, key, value },
              { type: "set" as const, key: markKey, value: String(nextArrival()) },
            ],
          },
          result: isCreated,
          audited: {
            action: isCreated ? ("event_type.created" as const) : ("event_type.updated" as const),
            accountId: null,
            target: { kind: "event_type", id: event } as const,
          },
        };
      });
      await declared.refresh();
      return { eventType: expectType(event), created };
    },

    async remove(event, origin) {
      expectDeclarable(event);
      if (!isOwnEventName(event)) throw noSuch("event type", "server");
      const key = keys.declaredEvent(event);
      await commitAudited(context, partition, origin, async () => {
        const [mark, stored] = await store.getMany([markKey, key]);
        if (stored === undefined) throw noSuch("event type", "server");
        const { webhooks } = await countWebhooksOf(store, new Set([event]));
        const count = webhooks.get(event) ?? 0;
        if (count > 0)
          throw new HookwrightError(
            "invalid_state",
            `${count} ${count === 1 ? "webhook names" : "webhooks name"} ${event}. Remove them first, or change their events.`,
          );
        return {
          commit: {
            checks: [
              { key: markKey, value: mark },
              { key, value: stored },
            ],
            mutations: [
              { type: "delete" as const, key },
              { type: "set" as const, key: markKey, value: String(nextArrival()) },
            ],
          },
          result: undefined,
          audited: {
            action: "event_type.deleted" as const,
            accountId: null,
            target: { kind: "event_type", id: event } as const,
          },
        };
      });
      await declared.refresh();
      return { id: event, deleted: true };
    },
  };
}

/** Problems name a field, or say what the event must be. */
function toProblem(message: string): string {
  return /^(?:schema|sample|description|record)\b/u.test(message) ? message : `event: ${message}`;
}

function toHostEventType(known: RegisteredEvent, declared: DeclaredEvent | undefined): HostEventType {
  const { event, name, description, sample } = known.type;
  return {
    event,
    name,
    description,
    sample,
    record: known.kind,
    schema: declared?.schema ?? known.toDataSchema(),
    declared: declared !== undefined,
  };
}
