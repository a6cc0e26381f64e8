import { drop } from "./field.ts";
import { isRecord, toPlain } from "./plain-value.ts";

/** More levels are no record of a shop. The limit also ends a value that contains itself. */
const maximumDepth = 32;

/**
 * Returns the JSON value that a receiver gets: library objects such as dates are converted, fields without a
 * value are left out, and a lone surrogate becomes U+FFFD. Adds what JSON cannot express to `problems`.
 *
 * @param path the path of the value, for example `data.items.0`
 */
export function toJsonValue(value: unknown, path: string, problems: string[], depth = 0): unknown {
  const refuse = (problem: string): null => {
    problems.push(`${path}: ${problem}`);
    return null;
  };
  const plain = toPlain(value);
  switch (typeof plain) {
    case "string":
      return plain.toWellFormed();
    case "boolean":
      return plain;
    case "number":
      return Number.isFinite(plain) ? plain : refuse("must be a finite number");
    case "bigint":
      // Receivers read numbers of JSON as JavaScript does.
      return losesDigits(plain) ? refuse(lostDigits(plain)) : Number(plain);
    case "object":
      break;
    default:
      return refuse("must be a JSON value: text, a number, true, false, null, a list or an object");
  }
  if (plain === null) return null;
  if (depth === maximumDepth) return refuse(`must have at most ${maximumDepth} levels`);
  if (Array.isArray(plain))
    return plain.map((entry: unknown, index) =>
      entry === undefined ? null : toJsonValue(entry, `${path}.${index}`, problems, depth + 1),
    );
  if (!isRecord(plain) || plain instanceof Map || plain instanceof Set)
    return refuse("must be an object with fields, or a list");
  const fields = Object.entries(plain).filter(([, field]) => field !== undefined);
  // A receiver that merges objects would change its prototypes.
  if (fields.some(([name]) => name === "__proto__")) return refuse("must have no field `__proto__`");
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name.toWellFormed(),
      toJsonValue(field, `${path}.${name}`, problems, depth + 1),
    ]),
  );
}

/** An integer without an exponent: PostgreSQL writes `1e21` as a one with 21 zeros. */
function digitsOf(integer: number): string {
  const [mantissa = "", exponent = "0"] = String(integer).split("e+");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return whole + fraction.padEnd(Number(exponent), "0");
}

/** Whether JavaScript cannot hold the number. */
export function losesDigits(value: bigint): boolean {
  return digitsOf(Number(value)) !== String(value);
}

/** The problem of such a number. */
export function lostDigits(value: bigint): string {
  return `must be sent as text, because ${String(value).slice(0, 40)} has more digits than a number can hold`;
}

/** Adds the paths of the values of `after` that differ from those of `before`. */
export function findChanges(before: unknown, after: unknown, path: string, changes: string[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) changes.push(path);
    else after.forEach((entry, index) => findChanges(before[index], entry, join(path, index), changes));
  } else if (isRecord(before) && isRecord(after)) {
    for (const [name, field] of Object.entries(after))
      findChanges(before[name], field, join(path, name), changes);
  } else if (!Object.is(before, after)) changes.push(path);
}

/** Adds the paths of `before` that `after` does not have. */
export function findDropped(before: unknown, after: unknown, path: string, dropped: string[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length)
      for (const [index, entry] of before.entries())
        findDropped(entry, after[index], join(path, index), dropped);
  } else if (isRecord(before) && isRecord(after))
    for (const [name, field] of Object.entries(before)) {
      if (!Object.hasOwn(after, name)) drop(dropped, join(path, name));
      else findDropped(field, after[name], join(path, name), dropped);
    }
}

function join(path: string, name: string | number): string {
  return path === "" ? String(name) : `${path}.${name}`;
}
