import {
  eventCatalogue,
  isHookwrightError,
  readEvent,
  toValidEvent,
  validationFailed,
} from "@hookwright/domain";
import type { ErrorCode, EventName, EventReading, ReadEvent, ValidEvent } from "@hookwright/domain";
import type { ServiceContext } from "../context.ts";
import { keys } from "../rows/keys.ts";
import { parseProjectRow } from "../rows/project-row.ts";
import type { PublishResult, Service } from "../use-cases.ts";
import { toPublication } from "./publication.ts";
import { createPublishTogether } from "./publish-together.ts";

/** Items that one call of the host API may bring (contract §7). */
export const maximumBatch = 1_000;

/**
 * Publishes events: the record, what it adds to contacts, and one delivery for each webhook that listens, in one atomic
 * commit. Once that is acknowledged nothing is lost; before it nothing is sent.
 */
export function createPublish(
  context: ServiceContext,
): Pick<Service, "publish" | "publishMany" | "validateEvent"> {
  const { directory, now, store } = context;
  const publishTogether = createPublishTogether(context);

  /** Publishes that look up their site first. What follows about the same record waits, so that both keep their order. */
  const lookingUp = new Map<string, Promise<unknown>>();

  /** While the site is known this makes no promise of its own: a thousand events may be on their way at once. */
  function publish(input: unknown): Promise<PublishResult> {
    try {
      const arrival = context.nextArrival();
      const reading = readEvent(input, { now: now() });
      const accountId = directory.known("project", reading.projectId);
      const record = lookingUp.size === 0 ? undefined : nameOf(reading);
      const earlier = record === undefined ? undefined : lookingUp.get(record);
      if (accountId !== undefined && earlier === undefined && !isLocalTime(reading))
        return publishRead(accountId, expectRead(reading), arrival);
      return inOrder(nameOf(reading), () => findAndPublish(input, reading, arrival));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs what concerns one record one after the other. */
  function inOrder<Result>(record: string | undefined, task: () => Promise<Result>): Promise<Result> {
    if (record === undefined) return task();
    const earlier = lookingUp.get(record);
    const result = earlier === undefined ? task() : earlier.then(task, task);
    lookingUp.set(record, result);
    const forget = (): void => {
      if (lookingUp.get(record) === result) lookingUp.delete(record);
    };
    result.then(forget, forget);
    return result;
  }

  async function findAndPublish(
    input: unknown,
    reading: EventReading,
    arrival: number,
  ): Promise<PublishResult> {
    const { accountId, read } = await findSite(input, reading);
    return publishRead(accountId, read, arrival);
  }

  /** The account of the event's site, and the event with its local times read in the site's time zone. */
  async function findSite(
    input: unknown,
    reading: EventReading,
  ): Promise<{ readonly accountId: string; readonly read: ReadEvent }> {
    const { projectId } = reading;
    const accountId = await directory.find("project", projectId);
    // One error names all that is wrong with the event.
    if (accountId === undefined)
      throw validationFailed(["project_id: no such site", ...(reading.ok ? [] : reading.problems)]);
    if (!isLocalTime(reading)) return { accountId, read: expectRead(reading) };
    const project = await store.get(keys.project(accountId, projectId));
    if (project === undefined) throw validationFailed(["project_id: no such site"]);
    const { timezone: timeZone } = parseProjectRow(project);
    return { accountId, read: expectRead(readEvent(input, { now: now(), timeZone })) };
  }

  function publishRead(accountId: string, read: ReadEvent, arrival: number): Promise<PublishResult> {
    return publishTogether(accountId, toPublication(read, arrival));
  }

  async function publishOne(input: unknown): Promise<PublishResult | PublishRefusal> {
    try {
      return await publish(input);
    } catch (error) {
      if (!isHookwrightError(error) || error.status >= 500) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  }

  /** What comes out has the name that went in. */
  function validateEvent<Name extends EventName>(input: unknown): Promise<ValidEvent<Name>>;
  async function validateEvent(input: unknown): Promise<unknown> {
    const { read } = await findSite(input, readEvent(input, { now: now() }));
    return toValidEvent(input, read);
  }

  return {
    publish,
    validateEvent,
    async publishMany(inputs) {
      if (inputs.length > maximumBatch)
        throw validationFailed([`body: must have at most ${maximumBatch} entries`]);
      // Items of one record happen in the order given; all others share the store's commits.
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

/** Undefined for an event that is refused anyway. */
function nameOf(reading: EventReading): string | undefined {
  if (!reading.ok) return undefined;
  const { projectId, event, record } = reading.published;
  return JSON.stringify([projectId, eventCatalogue[event].kind, record.data.id]);
}

/** @throws HookwrightError `validation_failed` */
function expectRead(reading: EventReading): ReadEvent {
  if (!reading.ok) throw validationFailed(reading.problems);
  return reading.published;
}

interface PublishRefusal {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

/** Which record an unread item speaks of, as far as that can be seen. */
function recordNameOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("data" in input)) return "";
  const { data } = input;
  if (typeof data !== "object" || data === null || !("id" in data)) return "";
  // Text cannot be made of every value: `{"toString": 1}` would throw.
  return ["string", "number", "bigint"].includes(typeof data.id) ? String(data.id) : "";
}
