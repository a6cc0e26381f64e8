import type { Parsed } from "@hookwright/domain";

/** What a body says in a field, also where others are wrong: all that is wrong with one body is told at once. */
export function sentField(sent: unknown, name: string): unknown {
  if (typeof sent !== "object" || sent === null) return undefined;
  // It alone: a body may have a hundred thousand fields that nobody reads.
  return Object.getOwnPropertyDescriptor(sent, name)?.value;
}

export function problemsOf(parsed: Parsed<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.problems;
}
