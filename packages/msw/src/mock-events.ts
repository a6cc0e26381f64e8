import { createEventRegistry } from "@hookwright/domain";
import type { BuiltInEvents, EventRegistry, OwnEvents } from "@hookwright/domain";
import { MockError } from "./mock-error.ts";

/** The events of the specification and of the host. @throws MockError `invalid_events` with every problem */
export function createMockEvents(own: OwnEvents = {}, builtIn?: BuiltInEvents): EventRegistry {
  const creation = createEventRegistry(own, builtIn);
  if (creation.ok) return creation.registry;
  const problems = creation.problems.map(({ event, message }) =>
    event === undefined ? `events ${message}` : `events.${event}: ${message}`,
  );
  throw new MockError("invalid_events", `${problems.join("; ")}.`);
}
