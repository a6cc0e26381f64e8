/** What a command returns to the shell. */
export const exitStatus = {
  done: 0,
  /** The result is negative: a signature does not verify, there is no such delivery, the output cannot be written. */
  negative: 1,
  wrongUsage: 2,
  /** The server cannot be reached, or the credential is missing or refused. Also an unexpected error. */
  noServer: 3,
  /** 128 and the number of SIGINT, as shells report it. */
  interrupted: 130,
} as const;

/**
 * The errors of the commands, beside the codes of the API:
 *
 * - `wrong_usage`: an unknown command or option, or an invalid value.
 * - `server_unreachable`: no response from the server, or a response that is not from this API.
 * - `credential_missing`: no API key and no login.
 * - `optional_package_missing`: `hookwright mcp` without the MCP package.
 * - `file_unusable`: a file cannot be read or written.
 * - `output_failed`: standard output cannot be written, for example because the disk is full.
 * - `unexpected_error`: a bug in the command line.
 */
export type OwnErrorCode =
  | "wrong_usage"
  | "server_unreachable"
  | "credential_missing"
  | "optional_package_missing"
  | "file_unusable"
  | "output_failed"
  | "unexpected_error";

interface CliErrorOptions {
  readonly exitStatus: number;
  readonly cause?: unknown;
  readonly retryAfterMs?: number | undefined;
}

/** An error that the user can fix. The message says how. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** An `OwnErrorCode`, or a code of the API such as `resource_not_found`. */
  readonly code: string;
  readonly exitStatus: number;
  /** How long the server demands to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, { exitStatus, cause, retryAfterMs }: CliErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryAfterMs = retryAfterMs;
    this.code = code;
    this.exitStatus = exitStatus;
  }
}

/** An error of the command itself. */
export function ownError(code: OwnErrorCode, message: string, cause?: unknown): CliError {
  return new CliError(code, message, { exitStatus: statusOf[code], cause });
}

const statusOf: Readonly<Record<OwnErrorCode, number>> = {
  wrong_usage: exitStatus.wrongUsage,
  server_unreachable: exitStatus.noServer,
  credential_missing: exitStatus.noServer,
  optional_package_missing: exitStatus.wrongUsage,
  file_unusable: exitStatus.wrongUsage,
  output_failed: exitStatus.negative,
  unexpected_error: exitStatus.noServer,
};

/** What an error says, in a sentence of another error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The message for an error that no code expected. It has the place in the code, for the report. */
export function describeBug(error: unknown): string {
  const [message = "", place] =
    error instanceof Error ? (error.stack ?? error.message).split("\n") : [String(error)];
  const where = place === undefined ? "" : ` (${place.trim()})`;
  return `unexpected error: ${message}${where}. Please report it: https://github.com/hookwright/hookwright/issues`;
}
