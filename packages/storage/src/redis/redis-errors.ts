import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";

/** Redis replies with these errors before the first write of a command. A script may lack a right after its first write. */
const rejectedBeforeWrite =
  /\b(?:READONLY|LOADING|OOM|MOVED|ASK|CLUSTERDOWN|TRYAGAIN|CROSSSLOT|MASTERDOWN|MISCONF|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|NOPERM(?! ACL failure in script)|NOSCRIPT)\b/u;

/** A master that rejects writes because its memory or disk is full. Reads still work. */
const full = /\b(?:OOM|MISCONF)\b/u;

/** Errors of ioredis for a command that it never wrote to a socket. */
const neverSent =
  /enableOfflineQueue options is false|Failed to refresh slots|All sentinels are unreachable/u;

/** Errors of ioredis for a command whose connection ended before the reply. */
const lost = /Reached the max retries per request limit|Connection is closed/u;

const advice: readonly (readonly [RegExp, string])[] = [
  [/\bOOM\b/u, "Its memory is full. Raise maxmemory, or free memory"],
  [/\bREADONLY\b/u, "It is a replica. The store reconnects to find the master"],
  [/\bLOADING\b/u, "It is loading its data. Wait until it has finished"],
  [/\bMISCONF\b/u, "It cannot write to its disk. Check the disk"],
  [/\b(?:NOAUTH|WRONGPASS)\b/u, "The user name or the password is wrong"],
  // The last two are errors of scripts in Redis 7.0, and in Redis 7.2 and Valkey.
  [
    /\bNOPERM\b|\buser executing the script can't\b|\bACL failure in script\b/u,
    "Its user may not run these commands or use these keys. Extend the ACL",
  ],
  [/\bcluster support disabled\b/u, "It is not a Cluster. Use redis://host:port"],
  [/\bCLUSTERDOWN\b/u, "A part of the Cluster has no master. Wait for the failover"],
  [/\balert certificate required\b/u, "It requires a client certificate. Configure one and its key"],
  [
    /\balert (?:unknown ca|(?:bad|expired|revoked|unknown) certificate|certificate (?:expired|revoked|unknown))\b/u,
    "It rejects the client certificate. Use a valid one from an authority that it trusts",
  ],
  [
    /\bself-signed certificate\b|\bunable to (?:verify the first|get (?:local )?issuer) certificate\b/u,
    "Its certificate is from an unknown authority. Configure the certificate of that authority if you trust it",
  ],
];

/**
 * Returns the error of a failed command. It states whether the commit may have been applied, and what to do.
 *
 * @param lostBecause why the connection was lost, if it is known
 */
export function commandError(serverAddress: string, cause: unknown, lostBecause?: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isRejected = rejectedBeforeWrite.test(reason) || neverSent.test(reason);
  const known = adviceFor(reason) ?? "Check that it is running and reachable";
  const outcome = isRejected ? "Nothing was written" : "The outcome of a commit in flight is unknown";
  return new StorageError(
    "unavailable",
    `Redis at ${serverAddress} failed (${reason}). ${outcome}. ${known}.`,
    {
      cause,
      isFull: full.test(reason),
      reason:
        findReason(cause) ??
        (lost.test(reason) || neverSent.test(reason)
          ? (findReason(lostBecause) ?? "unreachable")
          : undefined),
    },
  );
}

/** The error of a commit that was refused after earlier ones of the same call were applied. */
export function stoppedError(serverAddress: string, reason: string): StorageError {
  return new StorageError(
    "unavailable",
    `Redis at ${serverAddress} refused the commit (${reason}). Nothing of it was written. Repeat it.`,
    { reason: findReason(new Error(reason)) },
  );
}

export function timeoutError(serverAddress: string, timeoutMs: number): StorageError {
  return new StorageError(
    "unavailable",
    `Redis at ${serverAddress} did not reply within ${timeoutMs} ms. The outcome of a commit in flight is unknown. Check that it is running and not overloaded.`,
    { reason: "no_answer" },
  );
}

export function unreachableError(serverAddress: string, cause: unknown): StorageError {
  const reason = reasonOf(cause);
  const known =
    adviceFor(reason) ??
    "Check that it is running and that its address and password are correct. If it uses TLS, use rediss: and check the certificates";
  // A server that is loading its data is reachable but not ready.
  const what = /\bLOADING\b/u.test(reason) ? "is not ready" : "is unreachable";
  return new StorageError(
    "unavailable",
    `Redis at ${serverAddress} ${what}${reason === "" ? "" : ` (${reason})`}. Nothing was written. ${known}.`,
    { cause, reason: findReason(cause) ?? "unreachable" },
  );
}

/** For a Cluster, the reason is in a property of the error. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const ofNode = "lastNodeError" in cause ? cause.lastNodeError : undefined;
  return withoutOpenssl(ofNode instanceof Error ? ofNode.message : cause.message);
}

/** Removes the numbers, source locations and line ends that OpenSSL adds. */
function withoutOpenssl(message: string): string {
  const [, text = message] = /:SSL routines:\w*:([^:]+):/u.exec(message) ?? [];
  return text;
}

function adviceFor(reason: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(reason))?.[1];
}

/** Returns whether the server has become a replica. ioredis closes the connection then. */
export function isReplicaError(error: unknown): boolean {
  return error instanceof Error && error.message.includes("READONLY");
}

/** Returns whether the connection ended before the reply. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && lost.test(error.message);
}

/** Returns whether ioredis rejected the command without writing it to the socket. */
export function isNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.includes("enableOfflineQueue options is false");
}
