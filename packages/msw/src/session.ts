import type { Failures } from "./failures.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Recording } from "./recording.ts";
import type { World } from "./state/world.ts";

/** The state of a mock between two resets. */
export interface Session {
  world: World;
  readonly failures: Failures;
  readonly requests: Recording<RecordedRequest>;
}
