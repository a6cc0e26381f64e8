/**
 * What the test that uses a mock did wrong:
 *
 * - `invalid_url`: `baseUrl` or `url` is not a whole http or https URL.
 * - `invalid_answer`: a receiver is to answer something that is no status from 200 to 599.
 * - `no_project`: something needs a site, and the seed has none.
 */
export type MockErrorCode = "invalid_url" | "invalid_answer" | "no_project";

/** A mistake in the test itself. What the program under test sends is refused with an answer, as the service refuses it. */
export class MockError extends Error {
  override readonly name = "MockError";
  readonly code: MockErrorCode;

  constructor(code: MockErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
