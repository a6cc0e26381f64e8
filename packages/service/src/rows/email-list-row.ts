import { toTimestamp } from "@hookwright/domain";
import type { EmailList } from "@hookwright/domain";

/** A stored email list. Times are milliseconds since the epoch. */
export interface EmailListRow {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: number;
  readonly arrival: number;
}

export function toEmailList({ id, project_id, name, created_at }: EmailListRow): EmailList {
  return { id, project_id, name, created_at: toTimestamp(created_at) };
}
