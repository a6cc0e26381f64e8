import { CliError, exitStatus, ownError } from "../cli-error.ts";
import { rowOf, textOf } from "./fields.ts";
import type { Row } from "./fields.ts";

interface ServerOfClient {
  readonly server: string;
}

/** A response takes at most this long. */
export const timeoutMs = 30_000;

/** The exit status for the codes of the API. Codes that are not listed have a negative result. */
const exitStatusOfCode: Readonly<Record<string, number>> = {
  missing_api_key: exitStatus.noServer,
  invalid_api_key: exitStatus.noServer,
  console_token_expired: exitStatus.noServer,
  invalid_credentials: exitStatus.noServer,
  account_unavailable: exitStatus.noServer,
  plan_required: exitStatus.noServer,
  read_only_demo: exitStatus.noServer,
  rate_limited: exitStatus.noServer,
  internal_error: exitStatus.noServer,
  validation_failed: exitStatus.wrongUsage,
  unknown_event: exitStatus.wrongUsage,
  invalid_project: exitStatus.wrongUsage,
};

const advice: Readonly<Record<string, string>> = {
  missing_api_key: "Run `hookwright login`, or set HOOKWRIGHT_API_KEY.",
  invalid_api_key: "Run `hookwright login` with a key of this server, or correct HOOKWRIGHT_API_KEY.",
  console_token_expired: "Run `hookwright login` again.",
  read_only_demo: "Use an account of your own.",
};

/** The error for a response of the API. */
export function toError(response: Response, envelope: Row, { server }: ServerOfClient): CliError {
  const error = rowOf(envelope, "error") ?? {};
  const code = textOf(error, "code") ?? "unknown_code";
  // A server without these routes answers with `not_found` and 404. A missing record is `resource_not_found`.
  if (code === "not_found") {
    return new CliError(
      code,
      `the server at ${server} has no such route. Is it older than this command line? Check --server or HOOKWRIGHT_SERVER.`,
      { exitStatus: exitStatus.noServer },
    );
  }
  const requestId = response.headers.get("x-request-id");
  const message = [
    textOf(error, "message") ?? `the server answered ${response.status}.`,
    advice[code],
    response.status >= 500 && requestId !== null ? `The request id is ${requestId}.` : undefined,
  ].filter((part) => part !== undefined);
  const status =
    exitStatusOfCode[code] ?? (response.status >= 500 ? exitStatus.noServer : exitStatus.negative);
  return new CliError(code, message.join(" "), { exitStatus: status, retryAfterMs: retryAfterMs(response) });
}

/** Milliseconds that `Retry-After` demands. Undefined without it, and for the form with a date, which the API never uses. */
function retryAfterMs(response: Response): number | undefined {
  const text = response.headers.get("retry-after") ?? "";
  return /^\d+$/u.test(text) ? Number(text) * 1_000 : undefined;
}

/** The error for a response that is not from this API. */
export function notThisApi({ server }: ServerOfClient, what: string): CliError {
  return ownError(
    "server_unreachable",
    `${server} is not a Hookwright server: ${what}. Check --server or HOOKWRIGHT_SERVER.`,
  );
}

/** The error for a request without a response. */
export function unreachable(server: string, error: unknown): CliError {
  return ownError(
    "server_unreachable",
    `cannot reach ${server}: ${describeCause(error)}. Is the server running? Check --server or HOOKWRIGHT_SERVER.`,
    error,
  );
}

/** `fetch` hides the reason in the causes. An error with several addresses has a list of them. */
export function describeCause(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 8; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  if (!(current instanceof Error)) return String(current);
  if (current.name === "TimeoutError") return `no response within ${timeoutMs / 1_000} s`;
  return current.message === "" ? current.name : current.message;
}
