import { findReason } from "../find-reason.ts";
import { StorageError } from "../storage-error.ts";

/** Redis answered these before the first write of a command. */
const refusedWhole =
  /\b(?:READONLY|LOADING|OOM|MOVED|ASK|CLUSTERDOWN|TRYAGAIN|CROSSSLOT|MASTERDOWN|MISCONF|NOREPLICAS|BUSY|NOAUTH|WRONGPASS|NOPERM|NOSCRIPT)\b/u;

/** A master that takes no writes, because its memory is used up or its disk refuses them, and reads as ever. */
const full = /\b(?:OOM|MISCONF)\b/u;

/** What ioredis says of a command that it never wrote to a socket. */
const neverSent =
  /enableOfflineQueue options is false|Failed to refresh slots|All sentinels are unreachable/u;

/** What ioredis says of a command whose connection ended before its reply. */
const lost = /Reached the max retries per request limit|Connection is closed/u;

const advice: readonly (readonly [RegExp, string])[] = [
  [/\bOOM\b/u, "its memory is full: raise maxmemory, or free some"],
  [/\bREADONLY\b/u, "it is a replica now: the connection is made anew, to find the master"],
  [/\bLOADING\b/u, "it is still reading its data: wait until it has"],
  [/\bMISCONF\b/u, "it cannot write to its disk: look after that"],
  [/\b(?:NOAUTH|WRONGPASS)\b/u, "the name or the password is wrong"],
  // The others are what a script meets: in Redis 7.0, and from 7.2 on and in Valkey.
  [
    /\bNOPERM\b|\buser executing the script can't\b|\bACL failure in script\b/u,
    "its user may not run these commands or use these keys: extend the ACL",
  ],
  [/\bcluster support disabled\b/u, "it is no Cluster: name it as redis://host:port"],
  [/\bCLUSTERDOWN\b/u, "a part of the Cluster has no master: wait for the failover"],
  [/\balert certificate required\b/u, "it asks its clients for a certificate: give one, and its key"],
  [
    /\balert (?:unknown ca|(?:bad|expired|revoked|unknown) certificate|certificate (?:expired|revoked|unknown))\b/u,
    "it does not take the certificate that it was shown: give one that is valid and of an authority that it trusts",
  ],
  [
    /\bself-signed certificate\b|\bunable to (?:verify the first|get (?:local )?issuer) certificate\b/u,
    "its certificate is of no authority that is trusted here: give that authority's, if you know it to be right",
  ],
];

/**
 * Says what failed, whether the commit can have happened, and what to do.
 *
 * @param lostBecause why the connection was lost, where it was and that is known
 */
export function redisFault(place: string, cause: unknown, lostBecause?: unknown): StorageError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isWhole = refusedWhole.test(reason) || neverSent.test(reason);
  const known = adviceFor(reason) ?? "see that it runs and can be reached";
  const outcome = isWhole ? "nothing was written" : "whether a commit under way happened is not known";
  return new StorageError("unavailable", `Redis at ${place} failed (${reason}): ${outcome}; ${known}.`, {
    cause,
    isFull: full.test(reason),
    reason:
      findReason(cause) ??
      (lost.test(reason) || neverSent.test(reason) ? (findReason(lostBecause) ?? "unreachable") : undefined),
  });
}

export function redisSilent(place: string, timeoutMs: number): StorageError {
  return new StorageError(
    "unavailable",
    `Redis at ${place} gave no answer within ${timeoutMs} ms: whether a commit under way happened is not known; see that it runs and is not overloaded.`,
    { reason: "no_answer" },
  );
}

export function redisUnreachable(place: string, cause: unknown): StorageError {
  const reason = reasonOf(cause);
  const known =
    adviceFor(reason) ??
    "see that it runs, that its address and password are right, and that it is asked with TLS (rediss:) just where it speaks TLS, with a certificate for that name of an authority that Node knows, and shown one where it asks for one";
  // One that loads its data set can be reached, and yet not be used.
  const what = /\bLOADING\b/u.test(reason) ? "is not ready" : "cannot be reached";
  return new StorageError(
    "unavailable",
    `Redis at ${place} ${what}${reason === "" ? "" : ` (${reason})`}: nothing was written; ${known}.`,
    { cause, reason: findReason(cause) ?? "unreachable" },
  );
}

/** Of a Cluster ioredis says only that no node would do; why, is on the error beside it. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const ofNode = "lastNodeError" in cause ? cause.lastNodeError : undefined;
  return withoutOpenssl(ofNode instanceof Error ? ofNode.message : cause.message);
}

/** OpenSSL puts numbers, places in its sources and a line end around what it has to say. */
function withoutOpenssl(message: string): string {
  const [, said = message] = /:SSL routines:\w*:([^:]+):/u.exec(message) ?? [];
  return said;
}

function adviceFor(reason: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(reason))?.[1];
}

/** The connection is closed because of it: the server is a replica now. */
export function isReplicaNow(error: unknown): boolean {
  return error instanceof Error && error.message.includes("READONLY");
}

/** The connection ended before the reply. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && lost.test(error.message);
}

/** ioredis refused it because the connection is broken: no byte of it was written. */
export function isNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.includes("enableOfflineQueue options is false");
}
