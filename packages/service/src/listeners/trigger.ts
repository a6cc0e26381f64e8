import { bodyId } from "@hookwright/domain";
import type { BodyForm, RegisteredEvent } from "@hookwright/domain";
import { readWritten } from "../publishing/read-written.ts";
import { renderBody } from "../rows/render-body.ts";
import type { ProjectRow } from "../rows/project-row.ts";

export interface TriggerParts {
  readonly known: RegisteredEvent;
  readonly project: ProjectRow;
  /** Fields that replace those of the sample. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The id of the record, unless `data` has one. */
  readonly recordId: string;
  /** Whether a field of `data` that the event does not have is refused. */
  readonly isStrict: boolean;
  readonly bodyForm: BodyForm;
  /** Milliseconds since the epoch: the creation time, unless `data` has one. */
  readonly now: number;
}

/**
 * Builds an event from the sample of its kind and the given fields. It is read as a published event would be.
 *
 * @throws HookwrightError `validation_failed`
 */
export function buildTriggeredEvent({
  known,
  project,
  data,
  recordId: newRecordId,
  isStrict,
  bodyForm,
  now,
}: TriggerParts): {
  readonly id: string;
  readonly recordId: string;
  readonly body: string;
} {
  const { event } = known.type;
  // A schema may refuse what it returned, so the published sample is used.
  const { sample } = known;
  const created =
    "created_at" in sample && typeof sample.created_at === "string"
      ? { created_at: new Date(now).toISOString() }
      : {};
  const merged = mergeObjects({ ...sample, ...created, id: newRecordId }, data);
  const delivered = readWritten(known, merged, { written: isStrict ? data : {}, project, now });
  const { id: recordId } = delivered;
  const json = JSON.stringify(delivered);
  const publishedAt = bodyForm === "standard" ? now : undefined;
  const body = renderBody({ event, recordId, project, json, publishedAt });
  return { id: bodyId(event, recordId), recordId, body };
}

/**
 * An id for a record that does not exist, in the form of the sample's id. It is new each time, because receivers
 * ignore an event that they have had.
 *
 * @param unique 32 hexadecimal digits
 * @example toRecordId("ord_1001", "01a2…") // "ord_01a2…"
 * @example toRecordId("1001", "01a2…") // "117703…"
 */
export function toRecordId(sampleId: string, unique: string): string {
  // The first 16 digits have the time and a counter.
  if (/^\d+$/u.test(sampleId)) return String(BigInt(`0x${unique.slice(0, 16)}`));
  return sampleId.replace(/[\p{L}\p{N}]*$/u, unique);
}

/** Objects are merged, everything else is replaced (contract: The developer API). */
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
