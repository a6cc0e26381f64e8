/**
 * The error codes of mistakes in a test:
 *
 * - `invalid_url`: `baseUrl` or `url` is not a complete http or https URL, or has a part that is not allowed.
 * - `invalid_api_key`: `apiKey` cannot be sent in a header.
 * - `invalid_secret`: a secret of a receiver is empty.
 * - `invalid_header_prefix`: no server may have this `headerPrefix`.
 * - `invalid_answer`: an answer of a receiver is not a status from 200 to 599.
 * - `invalid_failure`: an option of `failNext` is invalid.
 * - `invalid_events`: an own event is not defined as `createHookwright` requires.
 * - `invalid_seed`: a seed has an unknown field, or a value that must be an object or a list.
 * - `no_project`: an operation needs a site, but the seed has none.
 * - `reset`: the receiver was reset while `next` waited.
 */
export type MockErrorCode =
  | "invalid_url"
  | "invalid_api_key"
  | "invalid_secret"
  | "invalid_header_prefix"
  | "invalid_answer"
  | "invalid_failure"
  | "invalid_events"
  | "invalid_seed"
  | "no_project"
  | "reset";

/**
 * A mistake in the test itself. Invalid requests of the program under test get an error response, like from
 * the service.
 */
export class MockError extends Error {
  override readonly name = "MockError";
  readonly code: MockErrorCode;

  constructor(code: MockErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
