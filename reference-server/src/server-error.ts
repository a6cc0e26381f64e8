/**
 * Why the server does not start:
 *
 * - `invalid_option`: an option, a variable or a command that is not understood (exit code 2).
 * - `address_unavailable`: it cannot listen there.
 * - `storage_unavailable`: the storage cannot be opened, or its secret cannot be read.
 * - `server_secret_refused`: the server secret is not the one that the data was written with, or it is missing.
 * - `storage_in_use`: another demo is at work there.
 * - `transfer_refused`: a backup, an export or an import cannot be done, and has changed nothing.
 */
export type ServerErrorCode =
  | "invalid_option"
  | "address_unavailable"
  | "storage_unavailable"
  | "server_secret_refused"
  | "storage_in_use"
  | "transfer_refused";

/** A refusal to start that whoever started it can do something about: the message says what. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** 2 is what shells and option parsers answer to a wrong command line. */
  get exitCode(): number {
    return this.code === "invalid_option" ? 2 : 1;
  }
}
