import { beginningOf, parseInput, validationFailed } from "@hookwright/domain";
import type { z } from "zod";

/** Node refuses longer request lines itself. A `Request` from another server may have megabytes. */
const longestQuery = 16_384;
const longestShownName = 100;

/**
 * Parses the part of a URL from `?` on. An empty value means that the parameter is absent. Unknown parameters are
 * ignored. A repeated parameter is refused, whether known or not.
 *
 * @throws HookwrightError `validation_failed`
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, search: string): z.output<Schema> {
  if (search.length > longestQuery)
    throw validationFailed([`query: must be at most ${longestQuery} characters long`]);
  const given = new Map<string, string>();
  const repeated: string[] = [];
  for (const [name, value] of new URLSearchParams(search)) {
    if (given.has(name)) repeated.push(`${beginningOf(name, longestShownName)}: must be given once`);
    given.set(name, value);
  }
  if (repeated.length > 0) throw validationFailed(repeated);
  const known: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = given.get(name);
    if (value !== undefined && value !== "") known[name] = value;
  }
  return parseInput(schema, known, { root: "query" });
}
