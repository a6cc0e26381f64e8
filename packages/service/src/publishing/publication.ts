import {
  eventCatalogue,
  findRecordProblems,
  HookwrightError,
  isEventName,
  recordCreatedAt,
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

/** @throws HookwrightError `validation_failed`, naming each field that is missing or no text */
export function expectPublishInput(input: unknown): PublishInput {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw validationFailed(["body: must be an object"]);
  const { event, project_id: projectId, data }: Partial<Record<keyof PublishInput, unknown>> = input;
  const problems: string[] = [];
  if (typeof event !== "string" || event.trim() === "") problems.push(problemOf("event", event));
  if (typeof projectId !== "string" || projectId.trim() === "")
    problems.push(problemOf("project_id", projectId));
  if (typeof event !== "string" || typeof projectId !== "string" || problems.length > 0)
    throw validationFailed(problems);
  return { event, project_id: projectId, data };
}

function problemOf(field: string, value: unknown): string {
  const empty = value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  return `${field}: ${empty ? "is required" : "must be text"}`;
}

/** An event that was read, or what is wrong with its record: whoever looks up the site may have something to add. */
export type ReadPublication =
  | { readonly ok: true; readonly projectId: string; readonly publication: Publication }
  | { readonly ok: false; readonly projectId: string; readonly problems: readonly string[] };

/** @throws HookwrightError `validation_failed` for an input without event or site, `unknown_event` */
export function readPublication(input: PublishInput, arrival: number): ReadPublication {
  const { event, project_id: projectId, data } = expectPublishInput(input);
  if (!isEventName(event))
    throw new HookwrightError("unknown_event", "event: is not a known event; GET /v1/event-types lists them");
  if (data === undefined || data === null) return { ok: false, projectId, problems: ["data: is required"] };
  const record = findRecordProblems(event, data, { within: "data" });
  if (!record.ok) return { ok: false, projectId, problems: record.problems };
  const { kind } = eventCatalogue[event];
  const createdAt = recordCreatedAt(data, record.data);
  return {
    ok: true,
    projectId,
    publication: { event, kind, projectId, data: record.data, createdAt, arrival },
  };
}
