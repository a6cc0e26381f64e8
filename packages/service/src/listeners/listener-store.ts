import { HookwrightError, isHostId } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Check, Mutation } from "@hookwright/storage";
import { commitAudited } from "../audit/commit-audited.ts";
import type { AuditContext } from "../audit/commit-audited.ts";
import { maySee } from "../lookups/find-webhooks.ts";
import { noSuch } from "../lookups/no-such.ts";
import { keys } from "../rows/keys.ts";
import { parseListenerIndex } from "../rows/listener-row.ts";
import type { ListenerFilter, ListenerRow } from "../rows/listener-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import type { ChangeOrigin, Developer } from "../use-cases.ts";
import { absentReaderMs, presentReaderMs } from "../rows/listener-row.ts";

/** Listeners of an account (contract: The developer API). */
export const maximumListeners = 10;

/**
 * The rows of listeners. Each listener has a row that expires by the clock of the store. The index of the account names all of them, so that
 * a publish reads one row. Every change of a listener also removes the expired ones from the index.
 */
export interface ListenerStore {
  /**
   * The audit log names it.
   *
   * @throws HookwrightError `invalid_state` if the account has ten listeners
   */
  add(accountId: string, row: ListenerRow, origin: ChangeOrigin | undefined): Promise<void>;
  /** Undefined also if the caller may not see it. */
  find(caller: Developer, listenerId: string): Promise<ListenerRow | undefined>;
  /** All that have not expired and that the caller may see. */
  list(caller: Developer): Promise<readonly ListenerRow[]>;
  /** Sets the remaining lifetime. False if the listener was removed or has expired. */
  renew(accountId: string, listenerId: string, lifetimeMs: number): Promise<boolean>;
  /** Notifies the streams of the listener. @throws HookwrightError `resource_not_found` */
  remove(caller: Developer, listenerId: string): Promise<void>;
}

interface Listed {
  readonly check: Check;
  readonly rows: readonly ListenerRow[];
}

export function createListenerStore(context: AuditContext): ListenerStore {
  const { store } = context;

  async function readAll(accountId: string): Promise<Listed> {
    const key = keys.listenerIndex(accountId);
    const value = await store.get(key);
    const ids = value === undefined ? [] : parseListenerIndex(value).map(({ id }) => id);
    const texts = await store.getMany(ids.map((id) => keys.listener(accountId, id)));
    return { check: { key, value }, rows: texts.flatMap((text) => (text === undefined ? [] : parse(text))) };
  }

  return {
    add: (accountId, row, origin) =>
      commitAudited(context, partitionOf(accountId), origin, async () => {
        const { check, rows } = await readAll(accountId);
        if (rows.length >= maximumListeners) {
          throw new HookwrightError(
            "invalid_state",
            `The account already has ${maximumListeners} listeners, of all its keys. Remove one, or wait until one expires, ten minutes after its reader has left.`,
          );
        }
        return {
          commit: {
            checks: [check],
            mutations: [
              toSet(accountId, row, absentReaderMs),
              ...toIndexMutations(accountId, [...rows, row]),
            ],
          },
          result: undefined,
          audited: {
            action: "listener.created",
            accountId,
            target: { kind: "listener", id: row.id },
          },
        };
      }),

    async find(caller, listenerId) {
      if (!isHostId(listenerId)) return undefined;
      const text = await store.get(keys.listener(caller.accountId, listenerId));
      const row = text === undefined ? undefined : parse(text);
      return row !== undefined && maySee(caller, row) ? row : undefined;
    },

    list: async (caller) => (await readAll(caller.accountId)).rows.filter((row) => maySee(caller, row)),

    renew: (accountId, listenerId, lifetimeMs) =>
      commitUntilDone(store, partitionOf(accountId), async () => {
        const { check, rows } = await readAll(accountId);
        const row = rows.find(({ id }) => id === listenerId);
        if (row === undefined) return { result: false };
        // A deleted listener must not come back, so its row is checked too.
        const own: Check = { key: keys.listener(accountId, listenerId), value: JSON.stringify(row) };
        return {
          commit: {
            checks: [check, own],
            mutations: [toSet(accountId, row, lifetimeMs), ...toIndexMutations(accountId, rows)],
          },
          result: true,
        };
      }),

    remove: (caller, listenerId) => {
      const { accountId } = caller;
      return commitUntilDone(store, partitionOf(accountId), async () => {
        const { check, rows } = await readAll(accountId);
        if (!rows.some((row) => row.id === listenerId && maySee(caller, row))) throw noSuch("listener");
        const key = keys.listener(accountId, listenerId);
        const rest = rows.filter(({ id }) => id !== listenerId);
        return {
          commit: {
            checks: [check],
            mutations: [{ type: "delete", key }, ...toIndexMutations(accountId, rest)],
            notify: [key],
          },
          result: undefined,
        };
      });
    },
  };
}

function parse(text: string): ListenerRow {
  return JSON.parse(text);
}

function toSet(accountId: string, row: ListenerRow, expiresInMs: number): Mutation {
  return { type: "set", key: keys.listener(accountId, row.id), value: JSON.stringify(row), expiresInMs };
}

/** The index lives as long as the listener that may live longest. */
function toIndexMutations(accountId: string, rows: readonly ListenerRow[]): Mutation[] {
  const key = keys.listenerIndex(accountId);
  if (rows.length === 0) return [{ type: "delete", key }];
  const filters = rows.map(({ id, events, project_id }): ListenerFilter => ({ id, events, project_id }));
  return [{ type: "set", key, value: JSON.stringify(filters), expiresInMs: presentReaderMs }];
}
