import type { EmailList } from "@hookwright/domain";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

/** Empty filters (`""`) are ignored, as everywhere in the API. */
export interface EmailListQuery extends ListQuery {
  readonly project_id?: string | undefined;
}

export interface EmailLists {
  /** Lists the account's email lists. Their `id` is a `list_id` of their site. */
  list(query?: EmailListQuery, options?: CallOptions): List<EmailList>;
}

export function createEmailLists(send: Send): EmailLists {
  return {
    list: (query, options) =>
      listOperation(send, operations.listEmailLists, { query: { ...query } }, options),
  };
}
