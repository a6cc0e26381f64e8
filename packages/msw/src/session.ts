import type { Failures } from "./failures.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Recording } from "./recording.ts";
import type { World } from "./state/world.ts";

/** All that a mock knows between one reset and the next. */
export interface Session {
  world: World;
  readonly failures: Failures;
  readonly requests: Recording<RecordedRequest>;
}
