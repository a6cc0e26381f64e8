import type { X509Certificate } from "node:crypto";
import { headerValue } from "./header-list.ts";
import type { HeaderList } from "./header-list.ts";

/**
 * How far an attempt has come. `exchange`: the request is being written, and no byte of a response has come.
 * `response`: a part of the status line and headers has come.
 */
export type Phase = "lookup" | "connect" | "tls" | "exchange" | "response";

/** What is known of the connection on which an attempt failed. */
export interface FailedConnection {
  /** Of the target, without the brackets of an IPv6 literal. */
  readonly hostname: string;
  readonly port: number;
  /** Of the receiver, until it has been verified. */
  readonly certificate?: X509Certificate | undefined;
}

// Each function returns sentences for the owner of the endpoint. They never name an address that is not public, a secret,
// or a path of this machine. Errors of Node and OpenSSL are known by their code: their messages may name any of these.

/** The longest piece of a receiver's text that a sentence quotes. */
const longestQuote = 40;
const longestLocation = 150;

/**
 * Not the address itself: the name servers of this network may know names that others do not, and the answer would tell the
 * owner of a webhook which internal addresses exist here.
 */
export function describeBlockedName(hostname: string): string {
  return `${hostname} resolves to an address that is not public. Nothing was sent.`;
}

export function describeBlockedLiteral(address: string): string {
  return `${address} is not a public address. Nothing was sent.`;
}

/** @param reason what `parseTargetUrl` says: `must start with https://` */
export function describeBlockedUrl(reason: string): string {
  return `The webhook's URL ${reason}. Nothing was sent.`;
}

const lookupReasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "does not exist, or has no address",
  ENODATA: "has no address",
  EAI_AGAIN: "could not be resolved: the name servers did not answer",
  ETIMEOUT: "could not be resolved: the name servers did not answer",
  ESERVFAIL: "could not be resolved: the name servers failed",
  EREFUSED: "could not be resolved: the name servers refused the query",
};

export function describeLookup(hostname: string, cause: unknown): string {
  if (cause === undefined) return `The name ${hostname} has no address. Check its DNS records.`;
  const code = codeOf(cause);
  const reason = lookupReasons[code ?? ""] ?? "could not be resolved";
  return `The name ${hostname} ${reason}${inBrackets(code)}. Check its DNS records.`;
}

const connectReasons: Readonly<Record<string, (address: string) => string>> = {
  ECONNREFUSED: (address) => `Connection refused by ${address}.`,
  ECONNRESET: (address) => `Connection reset by ${address}.`,
  ETIMEDOUT: (address) => `${address} did not accept the connection in time.`,
  EHOSTUNREACH: (address) => `${address} cannot be reached.`,
  ENETUNREACH: (address) => `${address} cannot be reached.`,
};

/** Of several addresses each was tried. */
export function describeConnect(error: Error | undefined, connection: FailedConnection): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const sentences = errors.map((each) => {
    const address = toAddress(each, connection);
    const code = codeOf(each);
    return connectReasons[code ?? ""]?.(address) ?? `The connection to ${address} failed${inBrackets(code)}.`;
  });
  return [...new Set(sentences)].join(" ");
}

const publicAuthority = "Use a certificate from a public authority.";
const untrusted =
  "The certificate was issued by an authority that is not trusted (an intermediate certificate may be missing). Send the whole chain.";
const refusedHandshake =
  "The endpoint ended the TLS handshake. It must support TLS 1.3, or TLS 1.2 with ECDHE, have a certificate for this name, and ask for no client certificate.";
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
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    "The endpoint asks for a client certificate. It must ask for none.",
};

/** A sentence for an error of the TLS layer. Undefined for every other error, such as a broken connection. */
export function describeTls(
  error: NodeJS.ErrnoException,
  { hostname, certificate }: FailedConnection,
): string | undefined {
  const { code } = error;
  if (code === undefined) return undefined;
  if (code === "CERT_HAS_EXPIRED") return describeExpired(certificate);
  if (code === "CERT_NOT_YET_VALID") return describeNotYetValid(certificate);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return describeOtherName(error, hostname);
  const isTls = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_)/u.test(code) || isCertificateCode(code);
  return tlsSentences[code] ?? (isTls ? `The TLS handshake failed (${code}).` : undefined);
}

/** The remaining results of a verification (`X509_V_ERR_…`), which Node passes on without the prefix. */
function isCertificateCode(code: string): boolean {
  return /(?:^|_)(?:CERT|CRL|CA|CHAIN|SIGNATURE|PURPOSE)(?:_|$)/u.test(code);
}

function describeExpired(certificate: X509Certificate | undefined): string {
  const end = toDate(certificate?.validTo);
  if (end === undefined) return "The certificate has expired. Renew it.";
  if (end.getTime() > Date.now()) return "A certificate of the chain has expired. Renew the whole chain.";
  return `The certificate expired on ${toDay(end)}. Renew it.`;
}

function describeNotYetValid(certificate: X509Certificate | undefined): string {
  const start = toDate(certificate?.validFrom);
  if (start === undefined || start.getTime() < Date.now())
    return "A certificate of the chain is not valid yet. Check its dates.";
  return `The certificate is not valid before ${toDay(start)}. Check its dates.`;
}

function toDate(text: string | undefined): Date | undefined {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** In UTC, as certificates are: `3 Nov 2026`. */
function toDay(date: Date): string {
  const [, day, month, year] = date.toUTCString().split(" ");
  return `${Number(day)} ${month} ${year}`;
}

const mostNames = 3;

function describeOtherName(error: NodeJS.ErrnoException, hostname: string): string {
  const names = readCertificateNames(error).map((name) => escapeText(name, longestQuote));
  if (names.length === 0) return `The certificate is not for ${hostname}.`;
  const others = names.length - mostNames;
  const listed = names.slice(0, mostNames).join(", ") + (others > 0 ? ` and ${others} other names` : "");
  return `The certificate is for ${listed}, not for ${hostname}.`;
}

/** Node puts the certificate into the error: `subjectaltname` is `DNS:a.example, IP Address:192.0.2.1`. Unusual names are in quotes. */
function readCertificateNames(error: object): string[] {
  if (!("cert" in error) || typeof error.cert !== "object" || error.cert === null) return [];
  if (!("subjectaltname" in error.cert) || typeof error.cert.subjectaltname !== "string") return [];
  const names = error.cert.subjectaltname.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/gu);
  return Array.from(names, ([, name = ""]) => name.replace(/^"(.*)"$/u, "$1"));
}

const brokenWhen: Readonly<Record<Phase, string>> = {
  lookup: "before a response",
  connect: "before a response",
  tls: "during the TLS handshake",
  exchange: "before a response",
  response: "within the response headers",
};

/** Of a connection that ended in the handshake, or after it and before a response. */
export function describeBroken(phase: Phase, error: NodeJS.ErrnoException | undefined): string {
  const when = brokenWhen[phase];
  if (error === undefined || error.code === "EPIPE") return `The connection was closed ${when}.`;
  if (error.code === "ECONNRESET" && isCloseInHandshake(error)) return `The connection was closed ${when}.`;
  if (error.code === "ECONNRESET") return `The connection was reset ${when}.`;
  return `The connection broke ${when}${inBrackets(error.code)}.`;
}

/** Node also uses ECONNRESET if the receiver closes the connection in the handshake. Then no system call has failed. */
function isCloseInHandshake(error: NodeJS.ErrnoException): boolean {
  return error.syscall === undefined;
}

const waitingFor: Readonly<Record<Phase, string>> = {
  lookup: "resolving the host name",
  connect: "connecting",
  tls: "waiting for the TLS handshake",
  exchange: "waiting for the response headers",
  response: "reading the response headers",
};

/** @param connectedAfterMs undefined before there is a connection, and on one that was open already */
export function describeTimeout(
  phase: Phase,
  timeoutMs: number,
  connectedAfterMs: number | undefined,
): string {
  const connected =
    connectedAfterMs !== undefined
      ? `connected after ${toDuration(connectedAfterMs)}, `
      : phase === "exchange" || phase === "response"
        ? "the connection was open already, "
        : "";
  return `No response within ${toDuration(timeoutMs)} (${connected}${waitingFor[phase]}).`;
}

function toDuration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
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

/** Text of a stranger: printable ASCII, so that it can neither break a line nor turn the direction of the text. */
function escapeText(text: string, maximumLength: number): string {
  const start = text.slice(0, maximumLength).replace(/[^ -~]/gu, toEscape);
  return text.length > maximumLength ? `${start}…` : start;
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}

function toAddress(error: unknown, { hostname, port }: FailedConnection): string {
  const address =
    error instanceof Error && "address" in error && typeof error.address === "string"
      ? error.address
      : hostname;
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function inBrackets(code: string | undefined): string {
  return code === undefined ? "" : ` (${code})`;
}
