export type ConsoleErrorCode = "invalid_branding" | "site_file_missing";

/** The developer site cannot be served. `code` is stable, and the message says what to change. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode;
  constructor(code: ConsoleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConsoleError";
    this.code = code;
  }
}
