import type { X509Certificate } from "node:crypto";
import type { DeliveryErrorCode } from "../delivery-error.ts";
import type { FailureClass, HeaderList } from "./answer.ts";
import { codeOf, LookupError } from "./dns-lookup.ts";
import type { Target } from "./target.ts";
import { headerValue } from "./answer.ts";

/** The phases of an attempt, and how a failure sentence describes them. */
const phases = {
  lookup: { waitingFor: "resolving the host name", broken: "before a response" },
  connect: { waitingFor: "connecting", broken: "before a response" },
  proxy: { waitingFor: "connecting to the proxy of the sender", broken: "before a response" },
  /** The proxy of the sender has accepted the connection, and has not opened a tunnel yet. */
  tunnel: { waitingFor: "connecting through the proxy of the sender", broken: "before a response" },
  tls: { waitingFor: "waiting for the TLS handshake", broken: "during the TLS handshake" },
  /** The request is being written, and no byte of a response has arrived. */
  exchange: { waitingFor: "waiting for the response headers", broken: "before a response" },
  /** A part of the status line and headers has arrived. */
  response: { waitingFor: "reading the response headers", broken: "within the response headers" },
} as const;

export type Phase = keyof typeof phases;

/** Class (contract: Responses) and reason of a failed attempt, for the delivery log. */
export interface Failure {
  readonly failure: FailureClass;
  /** One line, at most 300 characters. */
  readonly detail: string;
}

/** The connection on which an attempt failed. */
interface FailedConnection extends Pick<Target, "hostname" | "port"> {
  /** Of the receiver, until it has been verified. */
  readonly certificate: X509Certificate | undefined;
}

// The owner of the endpoint reads these sentences. They never name an address that is not public, a secret, or a path of this
// machine. Errors of Node and OpenSSL are recognised by their code, because their messages may contain any of these.

const longestDetail = 300;
/** The longest piece of a receiver's text that a sentence quotes. */
const longestQuote = 40;
const longestLocation = 150;

export const shutDown: Failure = {
  failure: "reset",
  detail: "The sender was shut down before a response.",
};

/** @param reason from `parseTargetUrl`: `must start with https://` */
export function toBlockedUrl(reason: string): Failure {
  return { failure: "blocked_address", detail: toDetail(`The webhook's URL ${reason}. Nothing was sent.`) };
}

const unsentDetails: Partial<Record<DeliveryErrorCode, string>> = {
  proxy_unavailable: "The proxy of the sender cannot be used.",
  too_many_open_files: "The sender has no free connection at the moment.",
  source_address_unavailable: "The source address of the sender cannot be used.",
};

/** For an attempt that the sender could not make. Undefined for an error that has another cause. */
export function toUnsentFailure(code: DeliveryErrorCode): Failure | undefined {
  const problem = unsentDetails[code];
  return problem === undefined
    ? undefined
    : { failure: "connect", detail: `${problem} Nothing was sent. Try again later.` };
}

/** One line of limited length, also if the text contains line breaks of a receiver. */
export function toDetail(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > longestDetail ? `${line.slice(0, longestDetail - 1)}…` : line;
}

/** Why a connection broke before a response. */
export function toFailure(
  phase: Phase,
  error: NodeJS.ErrnoException | undefined,
  connection: FailedConnection,
): Failure {
  const to = (failure: FailureClass, sentence: string): Failure => ({ failure, detail: toDetail(sentence) });
  const { hostname } = connection;
  // Without the address: the owner of a webhook must not learn which internal names and addresses exist here.
  if (error instanceof LookupError && error.failure === "blocked_address")
    return to("blocked_address", `${hostname} resolves to an address that is not public. Nothing was sent.`);
  if (phase === "lookup") return to("dns", describeLookup(hostname, error?.cause));
  if (phase === "connect") return to("connect", describeConnect(error, connection));
  // In TLS 1.3 a receiver that wants a client certificate says so only after the handshake.
  const tls = describeTls(error?.code, connection);
  return tls === undefined
    ? to(phase === "tls" ? "tls" : "reset", describeBroken(phase, error))
    : to("tls", tls);
}

/** @param connectedAfterMs undefined before there is a connection, and on a reused one */
export function toTimeout(phase: Phase, timeoutMs: number, connectedAfterMs: number | undefined): Failure {
  const isReused = connectedAfterMs === undefined && (phase === "exchange" || phase === "response");
  let before = isReused ? "the connection was open already, " : "";
  if (connectedAfterMs !== undefined) before = `connected after ${toDuration(connectedAfterMs)}, `;
  const detail = `No response within ${toDuration(timeoutMs)} (${before}${phases[phase].waitingFor}).`;
  return { failure: "timeout", detail };
}

function toDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}

const noAnswer = "could not be resolved: the name servers did not answer";
const lookupReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "does not exist, or has no address",
  ENODATA: "has no address",
  EAFNOSUPPORT: "has no address of the version (IPv4 or IPv6) that the sender uses",
  EAI_AGAIN: noAnswer,
  ETIMEOUT: noAnswer,
  ESERVFAIL: "could not be resolved: the name servers failed",
  EREFUSED: "could not be resolved: the name servers refused the query",
};

function describeLookup(hostname: string, cause: unknown): string {
  const code = codeOf(cause);
  const reason = lookupReasons[code ?? ""] ?? "could not be resolved";
  const problem = cause === undefined ? "has no address" : `${reason}${inBrackets(code)}`;
  return `The name ${hostname} ${problem}. Check its DNS records.`;
}

const connectReasons: Readonly<Record<string, (address: string) => string>> = {
  ECONNREFUSED: (address) => `Connection refused by ${address}.`,
  ECONNRESET: (address) => `Connection reset by ${address}.`,
  ETIMEDOUT: (address) => `${address} did not accept the connection in time.`,
  EHOSTUNREACH: (address) => `${address} cannot be reached.`,
  ENETUNREACH: (address) => `${address} cannot be reached.`,
};

/** When a name has several addresses, each was dialled. */
function describeConnect(error: Error | undefined, connection: FailedConnection): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const sentences = errors.map((each) => {
    const address = toAddress(each, connection);
    const code = codeOf(each);
    return connectReasons[code ?? ""]?.(address) ?? `The connection to ${address} failed${inBrackets(code)}.`;
  });
  return [...new Set(sentences)].join(" ");
}

function toAddress(error: unknown, { hostname, port }: FailedConnection): string {
  // An error of `bind` has the source address.
  const isBind = error instanceof Error && "syscall" in error && error.syscall === "bind";
  const isNamed =
    !isBind && error instanceof Error && "address" in error && typeof error.address === "string";
  const address = isNamed ? String(error.address) : hostname;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

const publicAuthority = "Use a certificate from a public authority.";
const untrusted =
  "The certificate was issued by an authority that is not trusted (an intermediate certificate may be missing). Send the whole chain.";
const refusedHandshake =
  "The endpoint ended the TLS handshake. It must support TLS 1.3, or TLS 1.2 with ECDHE, have a certificate for this name, and ask for no client certificate.";
const refusedClient = "The endpoint does not accept the client certificate of the sender.";
const oldTls = "The endpoint supports neither TLS 1.2 nor TLS 1.3.";
const noTls = "The endpoint does not speak TLS on this port.";

const tlsSentences: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `The certificate is self-signed. ${publicAuthority}`,
  SELF_SIGNED_CERT_IN_CHAIN: `The certificate chain ends in a self-signed certificate that is not trusted. ${publicAuthority}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_REVOKED: "The certificate is revoked. Renew it.",
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE": refusedHandshake,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: refusedHandshake,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
    "The endpoint must speak HTTP/1.1. It offers another protocol.",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: refusedClient,
  ERR_SSL_TLSV1_ALERT_ACCESS_DENIED: refusedClient,
  ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE: refusedClient,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN: refusedClient,
  ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED: refusedClient,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    "The endpoint asks for a client certificate. It must ask for none.",
};

/** Node's and OpenSSL's codes of TLS, and results of a verification (`X509_V_ERR_…`), which Node reports without the prefix. */
const tlsCode = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)|(?:^|_)(?:CERT|CRL|CA|CHAIN|SIGNATURE|PURPOSE)(?:_|$)/u;

/** Undefined for an error that is not of TLS, such as a broken connection. */
function describeTls(code = "", { hostname, certificate }: FailedConnection): string | undefined {
  if (code === "CERT_HAS_EXPIRED") return describeExpired(certificate);
  if (code === "CERT_NOT_YET_VALID") return describeNotYetValid(certificate);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return describeOtherName(hostname, certificate);
  return tlsSentences[code] ?? (tlsCode.test(code) ? `The TLS handshake failed (${code}).` : undefined);
}

function describeExpired(certificate: X509Certificate | undefined): string {
  const end = Date.parse(certificate?.validTo ?? "");
  if (end > Date.now()) return "A certificate of the chain has expired. Renew the whole chain.";
  return `The certificate ${Number.isNaN(end) ? "has expired" : `expired on ${toDay(end)}`}. Renew it.`;
}

function describeNotYetValid(certificate: X509Certificate | undefined): string {
  const start = Date.parse(certificate?.validFrom ?? "");
  if (start > Date.now()) return `The certificate is not valid before ${toDay(start)}. Check its dates.`;
  return "A certificate of the chain is not valid yet. Check its dates.";
}

/** In UTC, as certificates are: `3 Nov 2026`. */
function toDay(time: number): string {
  const [, day, month, year] = new Date(time).toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}`;
}

const mostNames = 3;

function describeOtherName(hostname: string, certificate: X509Certificate | undefined): string {
  // `DNS:a.example, IP Address:192.0.2.1`, with unusual names in quotes.
  const list = certificate?.subjectAltName ?? "";
  const matches = list.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/gu);
  const names = Array.from(matches, ([, name = ""]) =>
    escapeText(name.replace(/^"(.*)"$/u, "$1"), longestQuote),
  );
  if (names.length === 0) return `The certificate is not for ${hostname}.`;
  const others = names.length > mostNames ? ` and ${names.length - mostNames} other names` : "";
  return `The certificate is for ${names.slice(0, mostNames).join(", ")}${others}, not for ${hostname}.`;
}

function describeBroken(phase: Phase, error: NodeJS.ErrnoException | undefined): string {
  const { code, syscall } = error ?? {};
  // Node also reports ECONNRESET when the receiver closes the connection in the handshake. Then no system call has failed.
  const isClosed =
    error === undefined || code === "EPIPE" || (code === "ECONNRESET" && syscall === undefined);
  const when = phases[phase].broken;
  if (isClosed) return `The connection was closed ${when}.`;
  if (code === "ECONNRESET") return `The connection was reset ${when}.`;
  return `The connection broke ${when}${inBrackets(code)}.`;
}

/** @param start of what came instead of a status line, in latin1 */
export function describeNotHttp(start: string): string {
  return `The response is not HTTP/1.x: it began with "${escapeText(start, longestQuote)}".`;
}

/** Of a response that is not 2xx. */
export function describeStatus(status: number, headers: HeaderList): string {
  if (status === 410) return "The endpoint answered 410 (Gone): its webhook is removed.";
  const location = status >= 300 && status < 400 ? headerValue(headers, "location") : undefined;
  if (location === undefined) return `The endpoint answered ${status}.`;
  return `The endpoint answered ${status} with Location ${escapeText(location, longestLocation)}: redirects are not followed. Set the webhook's URL to the new address.`;
}

/** Printable ASCII, so that a receiver's text can neither break a line nor change the direction of the text. */
function escapeText(text: string, maximumLength: number): string {
  const start = text.slice(0, maximumLength).replace(/[^ -~]/gu, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? "";
    return code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  });
  return text.length > maximumLength ? `${start}…` : start;
}

function inBrackets(code: string | undefined): string {
  return code === undefined ? "" : ` (${code})`;
}
