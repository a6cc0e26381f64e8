import { CliError, exitStatus, ownError } from "../cli-error.ts";
import { rowOf, textOf } from "./fields.ts";
import type { Row } from "./fields.ts";

interface ServerOfClient {
  readonly server: string;
  /** How requests reach the server, if a proxy is set. Errors of the network end with it. */
  readonly proxyHint?: string | undefined;
}

interface RefusedRequest extends ServerOfClient {
  readonly path: string;
  readonly token?: string | undefined;
  /** What to do if there is no such record. */
  readonly ifMissing?: string | undefined;
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

const adviceOnHostToken: typeof advice = {
  missing_api_key: "Set HOOKWRIGHT_HOST_TOKEN.",
  invalid_api_key:
    "Correct HOOKWRIGHT_HOST_TOKEN: it is a token of this server, with its name and scopes if it has any.",
};

const endedLogin =
  "Somebody may have ended this login in the console, or changed the password. Run `hookwright login` again.";

function adviceOn(code: string, path: string, token = ""): string | undefined {
  if (path.startsWith("/host/")) return adviceOnHostToken[code];
  return code === "invalid_api_key" && token.startsWith("hwc_") ? endedLogin : advice[code];
}

/** The error for a response of the API. */
export function toError(
  response: Response,
  envelope: Row,
  { server, token, path, ifMissing }: RefusedRequest,
): CliError {
  const error = rowOf(envelope, "error") ?? {};
  const code = textOf(error, "code") ?? "unknown_code";
  // A server without these routes answers with `not_found` and 404. A missing record is `resource_not_found`.
  if (code === "not_found") {
    return new CliError(
      code,
      `the server at ${server} has no such route. ${adviseOnPath(server) ?? "Is it older than this command line?"} ${check}`,
      { exitStatus: exitStatus.noServer },
    );
  }
  const requestId = response.headers.get("x-request-id");
  const message = [
    textOf(error, "message") ?? `the server answered ${response.status}.`,
    adviceOn(code, path, token),
    code === "resource_not_found" ? ifMissing : undefined,
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
export function notThisApi({ server, proxyHint }: ServerOfClient, what: string): CliError {
  const advice = adviseOnPath(server) ?? `If it is below a path of this host, write --server ${server}/PATH.`;
  return ownError(
    "server_unreachable",
    `${server} is not a Hookwright server: ${what}. ${withHint(`${advice} ${check}`, proxyHint)}`,
  );
}

function withHint(text: string, hint: string | undefined): string {
  return hint === undefined ? text : `${text} ${hint}`;
}

const check = "Check --server or HOOKWRIGHT_SERVER.";

/** Undefined if the URL of the server has no path. */
function adviseOnPath(server: string): string | undefined {
  const { origin, pathname } = new URL(server);
  if (pathname === "/") return undefined;
  // The URL of a page of the server, or of a call.
  const base = server.replace(/\/(?:console|reference|operator|v1|developer|host)(?:\/.*)?$/u, "");
  return `Is the path ${pathname} right? Without it, write --server ${base === server ? origin : base}.`;
}

/** The error for a response that leads to another address. A redirect is not followed, because it could expose the key. */
export function redirected(client: ServerOfClient, path: string, location: string): CliError {
  const { server } = client;
  const why = "and a redirect is not followed because it could expose the key";
  const target = URL.canParse(location, server + path) ? new URL(location, server + path) : undefined;
  // The same call on another address: an HTTPS server that answers HTTP, or another host name.
  if (target?.pathname.endsWith(path) === true)
    return ownError(
      "server_unreachable",
      `${server} redirects to ${location}, ${why}. Write --server ${target.origin}${target.pathname.slice(0, -path.length)}.`,
    );
  return notThisApi(client, `it redirects to ${location}, ${why}`);
}

/** The error for a request without a response. */
export function unreachable({ server, proxyHint }: ServerOfClient, error: unknown): CliError {
  const why =
    explainProxy(findCause(error)) ??
    explainConnection(server, findCause(error)) ??
    `${describeCause(error)}. Is the server running?`;
  return ownError(
    "server_unreachable",
    `cannot reach ${server}: ${withHint(`${why} ${check}`, proxyHint)}`,
    error,
  );
}

/** Undefined if no proxy has refused the connection. Node names its status only in the message. */
function explainProxy(error: unknown): string | undefined {
  const [, status] = /^Proxy response \((\d{3})\)/u.exec(describeSystemError(error).message) ?? [];
  if (status === undefined) return undefined;
  if (status === "407") return "the proxy answered 407. Write its user and password in its URL.";
  if (status === "403") return "the proxy answered 403. It does not allow this server.";
  return `the proxy answered ${status}. It cannot reach this server.`;
}

/** The codes of a response that is no TLS, and of a response that is no HTTP. */
const noTls = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL))$/u;
const noHttp = /^(?:UND_ERR_SOCKET|ECONNRESET|HPE_\w+)$/u;
const untrusted = /^(?:\w*(?:CERT|CERTIFICATE|SIGNATURE|ISSUER)\w*|CERT_\w+)$/u;

/**
 * Why a connection is useless, and what to do. Undefined if its error says enough.
 *
 * @example explainConnection("https://127.0.0.1:3000", error) // "this port does not speak TLS. Write http://127.0.0.1:3000."
 */
export function explainConnection(url: string, error: unknown): string | undefined {
  const { code, message } = describeSystemError(error);
  const isTls = url.startsWith("https:");
  if (isTls && noTls.test(code))
    return `this port does not speak TLS. Write ${url.replace("https:", "http:")}.`;
  if (!isTls && noHttp.test(code))
    return `the connection was closed without an HTTP response. If this port speaks TLS, write ${url.replace("http:", "https:")}.`;
  if (isTls && untrusted.test(code))
    return `its certificate is not accepted (${message}). If an authority of your own signed it, set NODE_EXTRA_CA_CERTS to the file with its certificate.`;
  return undefined;
}

function describeSystemError(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: "", message: String(error) };
  return { code: "code" in error ? String(error.code) : "", message: error.message };
}

/** `fetch` hides the reason in the causes. An error with several addresses has a list of them. */
function findCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 8; depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current instanceof Error && current.cause instanceof Error) current = current.cause;
    else break;
  }
  return current;
}

/** The reason of an error, in one line. */
export function describeCause(error: unknown): string {
  const cause = findCause(error);
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === "TimeoutError") return `no response within ${timeoutMs / 1_000} s`;
  const [line = ""] = cause.message.split("\n");
  return line.trim() === "" ? cause.name : line.trim();
}
