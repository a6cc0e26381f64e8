import { toTimestamp } from "@hookwright/domain";
import type { Project } from "@hookwright/domain";
import { createTextCache } from "@hookwright/storage/text-cache";

/** A stored site. Times are milliseconds since the epoch. */
export interface ProjectRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly created_at: number;
  readonly arrival: number;
}

export const parseProjectRow = createTextCache((text): ProjectRow => JSON.parse(text));

export function toProject({ id, name, timezone, created_at }: ProjectRow): Project {
  return { id, name, timezone, created_at: toTimestamp(created_at) };
}
