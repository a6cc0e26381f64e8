import { ClientError } from "./client-error.ts";
import { readData, readPage } from "./http/read-answer.ts";
import { createList } from "./list.ts";
import type { List } from "./list.ts";
import type { Operation } from "./operations.ts";
import type { CallOptions } from "./options.ts";
import type { Call, Send } from "./send.ts";

type Parameters = NonNullable<Call["parameters"]>;

/** The forms of calls that the clients have. */
export interface Calls {
  /** Returns `data`. */
  read<Data extends object>(operation: Operation, call?: Call): Promise<Data>;
  readById<Data extends object>(operation: Operation): (id: string, options?: CallOptions) => Promise<Data>;
  /** Like `read`. If an earlier attempt of the call may have deleted the object, it succeeds with `deleted`. */
  remove<Data extends object>(operation: Operation, call: Call, deleted: Data): Promise<Data>;
  list<Item>(
    operation: Operation,
    call: { readonly parameters?: Parameters; readonly query?: object | undefined },
    options?: CallOptions,
  ): List<Item>;
  listAll<Item>(operation: Operation): (query?: object, options?: CallOptions) => List<Item>;
}

export function createCalls(send: Send): Calls {
  const calls: Calls = {
    read: async <Data extends object>(operation: Operation, call?: Call) =>
      readData<Data>(await send(operation, call)),
    readById:
      (operation) =>
      (id, options = {}) =>
        calls.read(operation, { ...options, parameters: { id } }),
    async remove(operation, call, deleted) {
      try {
        return await calls.read<typeof deleted>(operation, call);
      } catch (error) {
        if (isDeletedByEarlierAttempt(error)) return deleted;
        throw error;
      }
    },
    list: <Item>(
      operation: Operation,
      { query, ...call }: { readonly parameters?: Parameters; readonly query?: object | undefined },
      options: CallOptions = {},
    ) =>
      createList(
        async (cursor, { signal }) =>
          readPage<Item>(await send(operation, { ...call, query: { ...query, cursor }, signal })),
        options,
      ),
    listAll: (operation) => (query, options) => calls.list(operation, { query }, options),
  };
  return calls;
}

/** Returns whether an earlier attempt of this call may have deleted it, because its outcome is unknown. */
function isDeletedByEarlierAttempt(error: unknown): boolean {
  return error instanceof ClientError && error.code === "resource_not_found" && error.outcomeUnknown;
}
