import { beginningOf, validationFailed } from "@hookwright/domain";
import type { Operation, Query } from "../routing/operation.ts";

const maxQueryLength = 16_384;
const maxShownNameLength = 100;
const pageLimit = { maximum: 100, default: 25 };

/** @throws HookwrightError `validation_failed` */
export function parseQuery({ query = [], limit = pageLimit }: Operation, search: string): Query {
  if (search.length > maxQueryLength)
    throw validationFailed([`query: must be at most ${maxQueryLength} characters long`]);
  const given = new Map<string, string>();
  const repeated: string[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    if (given.has(name)) repeated.push(`${beginningOf(name, maxShownNameLength)}: must be given once`);
    given.set(name, value);
  }
  if (repeated.length > 0) throw validationFailed(repeated);
  const read = (name: keyof Query): string | undefined =>
    query.includes(name) ? given.get(name) || undefined : undefined;
  return {
    limit: parseLimit(read("limit"), limit),
    cursor: read("cursor"),
    project_id: read("project_id"),
    email: read("email"),
    number: read("number"),
    status: read("status"),
  };
}

function parseLimit(
  text: string | undefined,
  { maximum, default: defaultLimit }: NonNullable<Operation["limit"]>,
): number {
  if (text === undefined) return defaultLimit;
  if (/^[1-9][0-9]*$/.test(text) && Number(text) <= maximum) return Number(text);
  throw validationFailed([`limit: must be a whole number from 1 to ${maximum}`]);
}
