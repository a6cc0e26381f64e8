import { bodyId, validationFailed } from "@hookwright/domain";
import type { RegisteredEvent } from "@hookwright/domain";
import { renderBody } from "../deliveries/render-body.ts";
import type { ProjectRow } from "../rows/project-row.ts";

export interface TriggerParts {
  readonly known: RegisteredEvent;
  readonly project: ProjectRow;
  /** Fields that replace those of the sample. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The id of the record, unless `data` has one. */
  readonly recordId: string;
  /** Milliseconds since the epoch: the creation time, unless `data` has one. */
  readonly now: number;
}

/**
 * Builds an event from the sample of its kind and the given fields. It is read as a published event would be.
 *
 * @throws HookwrightError `validation_failed`
 */
export function buildTriggeredEvent({ known, project, data, recordId, now }: TriggerParts): {
  readonly id: string;
  readonly recordId: string;
  readonly body: string;
} {
  const { event, sample: body } = known.type;
  const { data: sample } = body;
  const created = "created_at" in sample ? { created_at: new Date(now).toISOString() } : {};
  const merged = mergeObjects({ ...sample, ...created, id: recordId }, data);
  const reading = known.read(merged, { now, timeZone: project.timezone, within: "data" });
  if (!reading.ok) throw validationFailed(reading.problems);
  const { data: record } = reading.record;
  const rendered = renderBody({ event, recordId: record.id, project, json: JSON.stringify(record) });
  return { id: bodyId(event, record.id), recordId: record.id, body: rendered };
}

/** Objects are merged, everything else is replaced (contract §11). */
export function mergeObjects(base: object, changes: object): object {
  const merged = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(changes)) {
    const before = merged.get(name);
    merged.set(name, isObject(before) && isObject(value) ? mergeObjects(before, value) : value);
  }
  // Properties are defined, not assigned, so a field `__proto__` cannot reach a prototype.
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
