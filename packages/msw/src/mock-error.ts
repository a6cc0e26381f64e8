/**
 * What the test that uses a mock did wrong:
 *
 * - `invalid_url`: `baseUrl` or `url` is not a whole http or https URL, or has a part that is of no use there.
 * - `invalid_api_key`: `apiKey` cannot be sent in a header.
 * - `invalid_secret`: a receiver is to trust an empty secret.
 * - `invalid_answer`: a receiver is to answer something that is no status from 200 to 599.
 * - `invalid_failure`: an option of `failNext` makes no failure.
 * - `invalid_seed`: a seed has a field that is unknown, or is no object or list where there must be one.
 * - `no_project`: something needs a site, and the seed has none.
 * - `reset`: the receiver was reset while `next` waited.
 */
export type MockErrorCode =
  | "invalid_url"
  | "invalid_api_key"
  | "invalid_secret"
  | "invalid_answer"
  | "invalid_failure"
  | "invalid_seed"
  | "no_project"
  | "reset";

/** A mistake in the test itself. What the program under test sends is refused with an answer, as the service refuses it. */
export class MockError extends Error {
  override readonly name = "MockError";
  readonly code: MockErrorCode;

  constructor(code: MockErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
