import { isHookwrightError, readEvent, toValidEvent, validationFailed } from "@hookwright/domain";
import type { ErrorCode, EventReading, HookwrightError, ReadEvent, ValidEvent } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import type { PublishResult, Service } from "../use-cases.ts";
import { toPublication } from "./publication.ts";
import { createPublishTogether } from "./publish-together.ts";

/** Items in one call of the host API (contract: The host API). */
export const maximumBatch = 1_000;

/**
 * Publishes events: the record, its contact, and one delivery for each webhook of the event, in one atomic commit. After the commit
 * nothing is lost. Before it nothing is sent.
 */
export function createPublish(
  context: ServiceContext,
): Pick<Service, "publish" | "publishRow" | "publishMany" | "validateEvent" | "checkEvent"> {
  const { directory, events, now, store } = context;
  const publishTogether = createPublishTogether(context);

  /**
   * Publishes that look up their project first, or whose event has an id: not all of them write the row of their record. Later ones of
   * the same record wait, so that they keep their order.
   */
  const lookups = new Map<string, Promise<unknown>>();

  /** Creates no promise of its own if the project is known: a thousand events may be in progress at once. */
  function publishRow(input: unknown, takes: string | undefined): Promise<PublishResult> {
    try {
      // Publications of several traces share a commit, so each keeps its own.
      const origin = { arrival: context.nextArrival(), takes, traceParent: context.traceParent() };
      const reading = readEvent(input, { now: now(), events });
      const accountId = directory.known("project", reading.projectId);
      const record = lookups.size === 0 ? undefined : nameOf(reading);
      const earlier = record === undefined ? undefined : lookups.get(record);
      if (accountId !== undefined && earlier === undefined && !isLocalTime(reading) && !hasEventId(reading))
        return publishTogether(accountId, toPublication(expectRead(reading), origin));
      return inOrder(nameOf(reading), async () => {
        const { accountId: found, read } = await findProject(input, reading);
        return publishTogether(found, toPublication(read, origin));
      });
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs the tasks of one record in sequence. */
  function inOrder<Result>(record: string | undefined, task: () => Promise<Result>): Promise<Result> {
    if (record === undefined) return task();
    const earlier = lookups.get(record);
    const result = earlier === undefined ? task() : earlier.then(task, task);
    lookups.set(record, result);
    const forget = (): void => {
      if (lookups.get(record) === result) lookups.delete(record);
    };
    result.then(forget, forget);
    return result;
  }

  function publish(input: unknown): Promise<PublishResult> {
    return publishRow(input, undefined);
  }

  /** The account of the project, and the event with local times in the time zone of the project. */
  async function findProject(
    input: unknown,
    reading: EventReading,
  ): Promise<{ readonly accountId: string; readonly read: ReadEvent }> {
    const { projectId } = reading;
    const accountId = await directory.find("project", projectId);
    if (accountId === undefined) throw noSuchSite(reading);
    if (!isLocalTime(reading)) return { accountId, read: expectRead(reading) };
    const project = await store.get(keys.project(accountId, projectId));
    if (project === undefined) throw noSuchSite(reading);
    const { timezone: timeZone } = parseProjectRow(project);
    return { accountId, read: expectRead(readEvent(input, { now: now(), timeZone, events })) };
  }

  async function publishOne(input: unknown): Promise<PublishResult | PublishRefusal> {
    try {
      return await publish(input);
    } catch (error) {
      if (!isHookwrightError(error) || error.status >= 500) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  async function validateEvent(input: unknown): Promise<ValidEvent> {
    const { read } = await findProject(input, readEvent(input, { now: now(), events }));
    return toValidEvent(input, read);
  }

  return {
    publish,
    publishRow,
    validateEvent,
    async checkEvent(input, readRow) {
      const reading = readEvent(input, { now: now(), events });
      let isReadable = true;
      const accountId = await directory.find("project", reading.projectId, async (key) => {
        const row = await readRow(key);
        isReadable = row !== undefined;
        return row?.value;
      });
      if (accountId === undefined && isReadable) throw noSuchSite(reading);
      expectRead(reading);
    },
    async publishMany(inputs) {
      if (!Array.isArray(inputs)) throw validationFailed(["body: must be a list of events"]);
      if (inputs.length > maximumBatch)
        throw validationFailed([`body: must have at most ${maximumBatch} entries`]);
      // Items of one record are published in order. All others share commits.
      const chains = new Map<string, Promise<unknown>>();
      return Promise.all(
        inputs.map((input) => {
          const record = recordNameOf(input);
          const earlier = chains.get(record) ?? Promise.resolve();
          const result = earlier.then(
            () => publishOne(input),
            () => publishOne(input),
          );
          chains.set(record, result);
          return result;
        }),
      );
    },
  };
}

function isLocalTime(reading: EventReading): boolean {
  return reading.ok && reading.published.isLocalTime;
}

function hasEventId(reading: EventReading): boolean {
  return reading.ok && reading.published.eventId !== undefined;
}

/** `undefined` for an invalid event. */
function nameOf(reading: EventReading): string | undefined {
  if (!reading.ok) return undefined;
  const { projectId, kind, record } = reading.published;
  return JSON.stringify([projectId, kind, record.data.id]);
}

/** One error lists all problems of the event. */
function noSuchSite(reading: EventReading): HookwrightError {
  return validationFailed(["project_id: no such site", ...(reading.ok ? [] : reading.problems)]);
}

/** @throws HookwrightError `validation_failed` */
function expectRead(reading: EventReading): ReadEvent {
  if (!reading.ok) throw validationFailed(reading.problems);
  return reading.published;
}

interface PublishRefusal {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** The record id of an item that is not validated yet, if it has one. */
function recordNameOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("data" in input)) return "";
  const { data } = input;
  if (typeof data !== "object" || data === null || !("id" in data)) return "";
  // `String()` throws for some values, such as `{"toString": 1}`.
  return ["string", "number", "bigint"].includes(typeof data.id) ? String(data.id) : "";
}
