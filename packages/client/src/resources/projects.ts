import type { Project } from "@hookwright/domain";
import type { List, ListQuery } from "../list.ts";
import { operations } from "../operations.ts";
import type { CallOptions } from "../options.ts";
import type { Send } from "../send.ts";
import { listOperation } from "./list-operation.ts";

export interface Projects {
  /** Lists the account's sites. Their `id` is the `project_id` of other calls. */
  list(query?: ListQuery, options?: CallOptions): List<Project>;
}

export function createProjects(send: Send): Projects {
  return {
    list: (query, options) => listOperation(send, operations.listProjects, { query: { ...query } }, options),
  };
}
