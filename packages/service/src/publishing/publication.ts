import {
  eventCatalogue,
  findRecordProblems,
  HookwrightError,
  isEventName,
  isSentEmpty,
  recordCreatedAt,
  unknownEventProblem,
  validationFailed,
} from "@hookwright/domain";
import type { EventData, EventName, RecordKind } from "@hookwright/domain";
import type { PublishInput } from "../use-cases.ts";

/** What was read of an event before anything is looked up. */
export interface Publication {
  readonly event: EventName;
  readonly kind: RecordKind;
  readonly projectId: string;
  readonly data: EventData[EventName];
  /** When the record was created, in milliseconds: lists are ordered by it, also within a second. */
  readonly createdAt: number;
  /** Taken before anything is read, so that events of one call arrive in the order given, however long the store takes. */
  readonly arrival: number;
  /** The e-mail lists a new subscriber joins. */
  readonly listIds?: readonly string[];
}

/** An event that was read, or what is wrong with it: whoever looks up the site may have something to add. */
export type ReadPublication =
  | { readonly ok: true; readonly projectId: string; readonly publication: Publication }
  | { readonly ok: false; readonly projectId: string; readonly problems: readonly string[] };

/** @throws HookwrightError `validation_failed` where no site is named, with all else that is wrong; `unknown_event` where nothing is missing */
export function readPublication(input: unknown, arrival: number): ReadPublication {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw validationFailed(["body: must be an object"]);
  const { event, project_id: projectId, data }: Partial<Record<keyof PublishInput, unknown>> = input;
  const problems: string[] = [];
  if (!isFilledText(event)) problems.push(problemOf("event", event));
  if (!isFilledText(projectId)) problems.push(problemOf("project_id", projectId));
  if (isSentEmpty(data)) problems.push("data: is required");
  const isKnown = isFilledText(event) && isEventName(event);
  if (!isKnown && isFilledText(event)) {
    const unknownEvent = `event: ${unknownEventProblem(event)}`;
    if (problems.length === 0) throw new HookwrightError("unknown_event", unknownEvent);
    problems.unshift(unknownEvent);
  }
  const record =
    isKnown && !isSentEmpty(data) ? findRecordProblems(event, data, { within: "data" }) : undefined;
  if (record?.ok === false) problems.push(...record.problems);
  if (!isFilledText(projectId)) throw validationFailed(problems);
  if (!isKnown || record?.ok !== true) return { ok: false, projectId, problems };
  const { kind } = eventCatalogue[event];
  const createdAt = recordCreatedAt(data, record.data);
  return {
    ok: true,
    projectId,
    publication: { event, kind, projectId, data: record.data, createdAt, arrival },
  };
}

function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function problemOf(field: string, value: unknown): string {
  return `${field}: ${isSentEmpty(value) ? "is required" : "must be text"}`;
}
