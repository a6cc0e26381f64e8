import {
  createEventRegistry,
  eventCatalogue,
  HookwrightError,
  isEventName,
  unknownEventProblem,
  validationFailed,
} from "@hookwright/domain";
import type {
  EventType,
  OwnEvents,
  ReadRecord,
  ReadRecordOptions,
  RegisteredEvent,
} from "@hookwright/domain";
import { MockError } from "../mock-error.ts";

/** The events that a mock knows: those of the specification and those of the host. */
export interface MockEvents {
  readonly types: readonly EventType[];
  /** @throws HookwrightError `unknown_event`; `field` names where the name was sent */
  expect(event: string, field?: string): RegisteredEvent;
  /** Data of an event that can be published. */
  sampleOf(event: string): object;
}

/** @throws MockError `invalid_events` with every problem */
export function createMockEvents(own: OwnEvents = {}): MockEvents {
  const creation = createEventRegistry(own);
  if (!creation.ok) {
    const problems = creation.problems.map(({ event, message }) =>
      event === undefined ? `events ${message}` : `events.${event}: ${message}`,
    );
    throw new MockError("invalid_events", `${problems.join("; ")}.`);
  }
  const { types, names, find } = creation.registry;
  return {
    types,
    expect(event, field = "event") {
      const known = find(event);
      if (known !== undefined) return known;
      throw new HookwrightError("unknown_event", `${field}: ${unknownEventProblem(event, names)}`);
    },
    sampleOf: (event) =>
      isEventName(event) ? eventCatalogue[event].sampleData : { ...toObject(own[event]?.sample) },
  };
}

/** Reads data as the service does when a host publishes it. @throws HookwrightError `validation_failed` */
export function expectData(event: RegisteredEvent, data: unknown, options: ReadRecordOptions): ReadRecord {
  const reading = event.read(data, options);
  if (!reading.ok) throw validationFailed(reading.problems);
  return reading.record;
}

/** The registry has checked that samples are objects. */
function toObject(sample: unknown): object {
  return typeof sample === "object" && sample !== null ? sample : {};
}
