import type { Failures } from "./failures.ts";
import type { Instance } from "./instance/instance.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Recording } from "./recording.ts";

/** The state of a mock between two resets. */
export interface Session {
  /** The service with the seed. It rejects if the service refuses the seed. */
  readonly opened: Promise<Instance>;
  /** Ends with the last call of the test. Requests wait for it. */
  calls: Promise<unknown>;
  readonly failures: Failures;
  readonly requests: Recording<RecordedRequest>;
}

/** Runs the calls of a test in order, also if it does not await them. */
export function inOrder<Result>(
  session: Session,
  call: (instance: Instance) => Promise<Result>,
): Promise<Result> {
  const result = session.calls.then(() => session.opened).then(call);
  session.calls = result.catch(() => undefined);
  return result;
}
