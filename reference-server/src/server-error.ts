/**
 * The errors of the command line:
 *
 * - `invalid_option`: an invalid option, variable or command (exit code 2).
 * - `address_unavailable`: the server cannot listen on this address.
 * - `storage_unavailable`: the storage cannot be opened, or its secret cannot be read.
 * - `server_secret_refused`: the data was written with another server secret, or the secret is missing.
 * - `storage_in_use`: another demo uses the storage.
 * - `transfer_refused`: a backup, an export or an import failed and changed nothing.
 */
export type ServerErrorCode =
  | "invalid_option"
  | "address_unavailable"
  | "storage_unavailable"
  | "server_secret_refused"
  | "storage_in_use"
  | "transfer_refused";

/** An error that the operator can fix. The message says how. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** Shells and option parsers use 2 for a wrong command line. */
  get exitCode(): number {
    return this.code === "invalid_option" ? 2 : 1;
  }
}
