import { describeFields, findNearest, toDeliveredData, validationFailed } from "@hookwright/domain";
import type { RecordData, RegisteredEvent } from "@hookwright/domain";
import type { ProjectRow } from "../rows/project-row.ts";

export interface ReadWrittenOptions {
  /** What a person wrote of the data. A field of it that the event does not have is refused. */
  readonly written: object;
  readonly project: Pick<ProjectRow, "timezone">;
  /** Milliseconds since the epoch: the creation time, unless the data has one. */
  readonly now: number;
}

/**
 * Reads data that a person wrote for a test or a trigger as a published event is read.
 *
 * @returns what a delivery contains
 * @throws HookwrightError `validation_failed` that names each path
 */
export function readWritten(
  known: RegisteredEvent,
  data: object,
  { written, project, now }: ReadWrittenOptions,
): RecordData {
  const reading = known.read(data, { now, timeZone: project.timezone, within: "data" });
  if (!reading.ok) throw validationFailed(reading.problems);
  // The sample may have fields that the event drops.
  const dropped = reading.record.dropped.filter((path) => isAt(written, path));
  if (dropped.length > 0) throw validationFailed(dropped.map((path) => describeUnknown(path, known)));
  return toDeliveredData(reading.record);
}

/** Whether the object has a field at the path. */
function isAt(data: unknown, path: string): boolean {
  let value = data;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
    value = Reflect.get(value, part);
  }
  return true;
}

/** Why a field is refused that the event does not have, and which fields there are. */
function describeUnknown(path: string, { type, toDataSchema }: RegisteredEvent): string {
  const parts = path.split(".");
  const name = parts.pop() ?? "";
  // Positions in a list, `items.0`, are `items[]` in the paths of fields.
  const parent = parts.map((part) => (/^\d+$/u.test(part) ? "[]" : `.${part}`)).join("");
  const names = new Set<string>();
  for (const field of describeFields(toDataSchema(), type.sample.data)) {
    if (!`.${field.path}`.startsWith(`${parent}.`)) continue;
    const [first = ""] = field.path.slice(parent.length).split(/[.[]/u);
    names.add(first);
  }
  const nearest = findNearest(name, [...names]);
  const question = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
  const listed = names.size === 0 ? "" : `. The fields are: ${[...names].join(", ")}`;
  return `data.${path}: is not a field of ${type.event}${question}${listed}`;
}
