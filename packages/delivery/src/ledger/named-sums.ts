import { addSum } from "./counts.ts";
import type { Sums } from "./counts.ts";

/** Sums by field, for each name: an event, or the first minute of a step. */
export type NamedSums = Map<string, Sums>;

/** @throws if the text is damaged, or of a later version */
export function parseNamedSums(text: string): NamedSums {
  const named: NamedSums = new Map();
  for (const [name, fields] of entriesOf(JSON.parse(text))) {
    const sums: Sums = new Map();
    addFields(sums, name, fields);
    named.set(name, sums);
  }
  return named;
}

/** The sums of some names together. A row that cannot be read counts as nothing. */
export function sumReadable(text: string, isWanted: (name: string) => boolean): Sums {
  const sums: Sums = new Map();
  try {
    for (const [name, fields] of entriesOf(JSON.parse(text)))
      if (isWanted(name)) addFields(sums, name, fields);
  } catch {
    return new Map();
  }
  return sums;
}

function addFields(sums: Sums, name: string, fields: unknown): void {
  for (const [field, count] of entriesOf(fields)) {
    if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0)
      throw new TypeError(`${name} ${field} has no count`);
    addSum(sums, field, count);
  }
}

/** A row that cannot be read counts as nothing. `check-storage` reports it, and the next fold. */
export function parseReadableSums(text: string): NamedSums {
  try {
    return parseNamedSums(text);
  } catch {
    return new Map();
  }
}

export function addNamedSum(
  named: NamedSums,
  name: string,
  [field, amount]: readonly [string, number],
): void {
  const sums: Sums = named.get(name) ?? new Map();
  addSum(sums, field, amount);
  named.set(name, sums);
}

export function renderNamedSums(named: NamedSums): string {
  return JSON.stringify(
    Object.fromEntries(Array.from(named, ([name, sums]) => [name, Object.fromEntries(sums)])),
  );
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError("it has no sums by name");
  return Object.entries(value);
}
