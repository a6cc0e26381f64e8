import { parseJson } from "@hookwright/domain";
import { isRow } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import { ownError } from "../cli-error.ts";

/**
 * Sets a value of `--set PATH=VALUE` in a copy of the data. Parts of the path are separated by dots. A number is a
 * position in a list. The value is JSON if it can be read as JSON, otherwise text.
 *
 * @throws {CliError} `wrong_usage`
 * @example setPath({ total: 5 }, "customer.name=Ada") // { total: 5, customer: { name: "Ada" } }
 */
export function setPath(data: Row, assignment: string): Row {
  const [, path = "", value = ""] = /^([^=]+)=(.*)$/su.exec(assignment) ?? [];
  const parts = path.split(".");
  if (path === "" || parts.includes("") || parts.includes("__proto__")) {
    throw ownError(
      "wrong_usage",
      `--set ${JSON.stringify(assignment)} must be PATH=VALUE, such as total=10 or customer.name=Ada.`,
    );
  }
  const changed = setAt(data, parts, parseValue(value), assignment);
  return isRow(changed) ? changed : data;
}

function setAt(target: unknown, parts: readonly string[], value: unknown, assignment: string): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return value;
  if (/^\d+$/u.test(part) && (target === undefined || Array.isArray(target))) {
    const list: unknown[] = [...(target ?? [])];
    const index = Number(part);
    if (index > list.length) {
      throw ownError(
        "wrong_usage",
        `--set ${JSON.stringify(assignment)}: the list has ${list.length} entries, so the next position is ${list.length}.`,
      );
    }
    list[index] = setAt(list[index], rest, value, assignment);
    return list;
  }
  return {
    ...(isRow(target) ? target : {}),
    [part]: setAt(isRow(target) ? target[part] : undefined, rest, value, assignment),
  };
}

function parseValue(text: string): unknown {
  try {
    // It keeps all digits.
    return parseJson(text);
  } catch {
    // A value that is not JSON is a text: --set customer.name=Ada
    return text;
  }
}
