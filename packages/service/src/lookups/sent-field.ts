import type { Parsed } from "@hookwright/domain";

/** Reads one field of an unvalidated body, so that the response can list all problems of the body. */
export function sentField(sent: unknown, name: string): unknown {
  if (typeof sent !== "object" || sent === null) return undefined;
  // Reads only this field, because a body may have very many fields.
  return Object.getOwnPropertyDescriptor(sent, name)?.value;
}

export function problemsOf(parsed: Parsed<unknown>): readonly string[] {
  return parsed.ok ? [] : parsed.problems;
}
