import { findReason } from "../find-reason.ts";
import { StorageError, type StorageErrorReason } from "../storage-error.ts";

interface Meaning {
  readonly reason: StorageErrorReason | undefined;
  /** What to do. */
  readonly advice: string;
}

/** By SQLSTATE, or by its first two characters. */
const meanings: Readonly<Record<string, Meaning>> = {
  "08": { reason: "unreachable", advice: "Check that it is running and reachable" },
  "25001": {
    reason: undefined,
    advice: "Set default_transaction_isolation to read committed for its role",
  },
  "25006": {
    reason: "read_only_replica",
    advice:
      "It is a read-only standby, or default_transaction_read_only is on. Connect to the primary, or turn it off (hosted databases turn it on when their disk is full)",
  },
  "28": { reason: "not_authorized", advice: "Check the user, the password, and pg_hba.conf" },
  "3D000": { reason: undefined, advice: "Create the database, or use one that exists" },
  "42501": { reason: "permission_denied", advice: "Grant the missing rights" },
  "42": {
    reason: undefined,
    advice: "The tables or functions of the store are missing or changed. Restore a backup",
  },
  "53100": { reason: "disk_full", advice: "Its disk is full. Free space" },
  "53200": { reason: "out_of_memory", advice: "Its memory is full. Give it more, or lower its settings" },
  "53300": {
    reason: "too_many_connections",
    advice: "It has no free connection. Raise max_connections, or use smaller pools",
  },
  "55P03": { reason: "no_answer", advice: "A lock was not free in time. Look for long transactions" },
  "57014": {
    reason: "no_answer",
    advice: "It cancelled the statement. Look for long transactions, or raise statement_timeout",
  },
  "57P03": { reason: "loading", advice: "It is starting or stopping. Wait until it is ready" },
  "57": { reason: "unreachable", advice: "It is stopping, or an administrator ended the connection" },
  "58030": { reason: "disk_error", advice: "Check its disk" },
};

/** Errors of `pg` about a connection that is lost. */
const lost =
  /Connection terminated|Client has encountered a connection error|Client was closed|timeout expired/u;
/** Errors of `pg` and of its pool when the time is over. */
const readTimeout = /Query read timeout/u;

/** Returns the SQLSTATE of an error of the server. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^[0-9A-Z]{5}$/u.test(error.code) && "severity" in error ? error.code : undefined;
}

function meaningOf(state: string | undefined): Meaning | undefined {
  if (state === undefined) return undefined;
  return meanings[state] ?? meanings[state.slice(0, 2)];
}

/** Returns whether the server ended the connection, or the connection broke. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return /^(?:08|57P0)/u.test(state);
  if (!(error instanceof Error)) return false;
  return lost.test(error.message) || ("code" in error && findReason(error) === "unreachable");
}

/** A host of several takes no writes. */
export class ReadOnlyHostError extends Error {
  override readonly name = "ReadOnlyHostError";

  constructor() {
    super("none of its hosts takes writes");
  }
}

/** Returns whether a later connection may succeed without a change of the settings. */
export function isTemporary(error: unknown): boolean {
  const reason = meaningOf(sqlStateOf(error))?.reason;
  return (
    error instanceof ReadOnlyHostError ||
    isConnectionLost(error) ||
    reason === "loading" ||
    reason === "too_many_connections" ||
    (error instanceof Error && "code" in error && findReason(error) !== undefined)
  );
}

/** What messages name. */
export interface ServerNames {
  readonly serverAddress: string;
  readonly schema: string;
  readonly role: string;
}

/** Returns the statements that give a role all rights that a process and a backup need. The owner of the schema runs them. */
export function grantStatements({ schema, role }: Pick<ServerNames, "schema" | "role">): string {
  const grantee = `"${role.replaceAll('"', '""')}"`;
  return [
    `grant usage on schema ${schema} to ${grantee};`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${grantee};`,
    // `pg_dump` reads the sequence of the outbox.
    `grant select on all sequences in schema ${schema} to ${grantee};`,
    `grant execute on all functions in schema ${schema} to ${grantee};`,
  ].join(" ");
}

/** Returns the error of a failed statement. It states whether the commit may have been applied, and what to do. */
export function statementError(names: ServerNames, cause: unknown): StorageError {
  const { serverAddress } = names;
  if (cause instanceof StorageError) return cause;
  const state = sqlStateOf(cause);
  const text = cause instanceof Error ? cause.message : String(cause);
  if (readTimeout.test(text)) return timeoutError(serverAddress, cause);
  const isUndone = state !== undefined && !isConnectionLost(cause);
  const meaning = meaningOf(state);
  const advice =
    state === "42501"
      ? `The role ${names.role} lacks a right. As the owner of the schema run \`${grantStatements(names)}\``
      : (meaning?.advice ?? "Check that it is running and reachable");
  const outcome = isUndone ? "Nothing was written" : "The outcome of a commit in flight is unknown";
  if (state?.startsWith("XX00") === true && state !== "XX000")
    return new StorageError(
      "corrupted",
      `PostgreSQL at ${serverAddress} reports damaged data (${text}). Restore a backup.`,
      { cause },
    );
  return new StorageError(
    "unavailable",
    `PostgreSQL at ${serverAddress} failed (${text}). ${outcome}. ${advice}.`,
    {
      cause,
      isFull: state === "53100",
      reason: meaning?.reason ?? findReason(cause) ?? (isConnectionLost(cause) ? "unreachable" : undefined),
    },
  );
}

function timeoutError(serverAddress: string, cause: unknown): StorageError {
  return new StorageError(
    "unavailable",
    `PostgreSQL at ${serverAddress} did not reply in time. The outcome of a commit in flight is unknown. Check that it is running and not overloaded.`,
    { cause, reason: "no_answer" },
  );
}

/** The error of a connection that could not be opened. Nothing was sent. */
export function connectError(serverAddress: string, cause: unknown): StorageError {
  const state = sqlStateOf(cause);
  const meaning = meaningOf(state);
  const text = cause instanceof Error && cause.message !== "" ? cause.message : systemCode(cause);
  if (state === "3D000")
    return new StorageError(
      "invalid_argument",
      `PostgreSQL at ${serverAddress}: ${text}. ${meaning?.advice}.`,
      {
        cause,
      },
    );
  if (cause instanceof ReadOnlyHostError)
    return new StorageError(
      "unavailable",
      `PostgreSQL at ${serverAddress}: ${text}. Nothing was written. Wait for the failover, or add the primary to the url. To read from a standby, set target_session_attrs=any.`,
      { cause, reason: "read_only_replica" },
    );
  const isSlow = /timeout/u.test(text);
  const advice =
    (/no pg_hba\.conf entry.*no encryption/u.test(text)
      ? "It asks for TLS. Set sslmode=verify-full in the url"
      : (meaning?.advice ?? connectAdvice(text))) ??
    "Check that it is running and that its address is correct";
  return new StorageError(
    "unavailable",
    `PostgreSQL at ${serverAddress} is unreachable (${text}). Nothing was written. ${advice}.`,
    { cause, reason: meaning?.reason ?? findReason(cause) ?? (isSlow ? "no_answer" : "unreachable") },
  );
}

/** What to do, by the text of an error of `pg` or of TLS. */
function connectAdvice(text: string): string | undefined {
  if (/\bself[- ]signed certificate|unable to (?:verify|get (?:local )?issuer)/iu.test(text))
    return "Its certificate is from an authority that Node does not know. Add sslrootcert=FILE to the url, with the authority of your provider as PEM. Or encrypt without checking who replies: sslmode=no-verify";
  if (/does not match certificate/u.test(text))
    return "Its certificate is for another name. Use that name in the url. Or check only the authority: uselibpqcompat=true&sslmode=verify-ca&sslrootcert=FILE. Or nothing: sslmode=no-verify";
  if (/does not support SSL/u.test(text))
    return "Check sslmode in the url: the server has no TLS. Turn it on there, or set sslmode=disable";
  if (/^ENOENT\b.*\bopen\b/u.test(text))
    return "Check the files that sslrootcert, sslcert and sslkey name in the url";
  return /SSL|TLS|certificate/iu.test(text) ? "Check sslmode in the url, and the certificates" : undefined;
}

function systemCode(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
}

/** The error when the pool has no free connection in time. Nothing was sent. */
export function poolError(serverAddress: string, timeoutMs: number): StorageError {
  return new StorageError(
    "unavailable",
    `The pool had no free connection to PostgreSQL at ${serverAddress} within ${timeoutMs} ms. Nothing was written. Use a larger pool (poolSize, or --pool-size of the server), or release its connections sooner.`,
    { reason: "too_many_connections" },
  );
}
