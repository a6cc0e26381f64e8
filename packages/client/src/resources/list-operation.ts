import { readPage } from "../http/read-envelope.ts";
import { createList } from "../list.ts";
import type { List } from "../list.ts";
import type { Operation } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Call, Send } from "../send.ts";

/** Creates the list of an operation that returns pages. */
export function listOperation<Item>(
  send: Send,
  operation: Operation,
  call: Pick<Call, "parameters" | "query">,
  options: CallOptions = {},
): List<Item> {
  return createList(async (cursor, { signal }) => {
    const query = { ...call.query, cursor };
    return readPage<Item>(await send(operation, { ...call, query, signal }));
  }, options);
}
