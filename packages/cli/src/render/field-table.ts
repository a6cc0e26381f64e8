import { textOf } from "../api/fields.ts";
import type { Row } from "../api/fields.ts";
import type { Output } from "../terminal/output.ts";
import { printTable } from "./render-rows.ts";

/** The fields of an event. */
export function printFieldTable(output: Output, fields: readonly Row[]): void {
  printTable(output, ["FIELD", "TYPE", "EXAMPLE", "DESCRIPTION"], fields.map(toFieldCells));
}

/** A long example would push the descriptions out of the window. */
const longestExample = 40;

function toFieldCells(field: Row): readonly string[] {
  const { required, values, example } = field;
  const shown = Array.isArray(values) && values.length > 0 ? values : [example];
  const text = shown.map((value) => (value === null ? "" : JSON.stringify(value))).join(" | ");
  return [
    textOf(field, "path") ?? "",
    `${textOf(field, "type") ?? ""}${required === true ? "" : ", optional"}`,
    text.length > longestExample ? `${text.slice(0, longestExample)}…` : text,
    textOf(field, "description") ?? "",
  ];
}
