import { findHeaderPrefix, nameSignedHeaders } from "../signed-headers.ts";
import type { SignedHeaderNames } from "../signed-headers.ts";
import { valuesOf } from "./header-lines.ts";
import type { HeaderLines } from "./header-lines.ts";
import { shorten } from "./shorten.ts";

/** A reason why a signature does not verify, or what is different. */
export interface Problem {
  /** A stable name, such as `body_changed`. */
  readonly problem: string;
  /** The reason and what to do, in sentences. */
  readonly message: string;
}

/**
 * Finds what is wrong with the headers, without the secret and the body.
 *
 * @param headerPrefix that of the sender. @default that of the headers
 */
export function explainHeaders(
  headers: HeaderLines,
  headerPrefix: string = findHeaderPrefix(headers.map(([name]) => name)),
): readonly Problem[] {
  const names = nameSignedHeaders(headerPrefix);
  return [names.timestamp, names.signature].flatMap((name) => {
    const values = valuesOf(headers, name);
    if (values.every((value) => value.trim() === "")) return [explainMissing(name, headers, names)];
    return name === names.timestamp ? explainTimestamp(name, values) : explainSignature(name, values);
  });
}

function explainMissing(name: string, headers: HeaderLines, { signature }: SignedHeaderNames): Problem {
  const present = headers.map(([each]) => each);
  const renamed = present.find(
    (each) => normaliseHeaderName(each) === normaliseHeaderName(name) && !isSame(each, name),
  );
  const other = present.find((each) => /signature/iu.test(each) && !isSame(each, signature));
  const isEmpty = present.some((each) => isSame(each, name));
  const hint = isEmpty
    ? "It is there, but empty."
    : renamed !== undefined
      ? `${shorten(renamed)} looks like it: the web server or the framework renamed it. Give it its name back.`
      : other !== undefined && /^webhook-/iu.test(other)
        ? `${shorten(other)} belongs to Standard Webhooks. The service sends both kinds: a proxy or a filter has removed this one.`
        : other !== undefined
          ? `${shorten(other)} is of another service.`
          : "Pass all request headers. Proxies and API gateways often pass only the headers that they are told to pass.";
  return { problem: "missing_header", message: `${name} is missing. ${hint}` };
}

function explainTimestamp(name: string, values: readonly string[]): Problem[] {
  const all = values.flatMap((value) => value.split(",")).map((value) => value.trim());
  if (all.length > 1) {
    const isEqual = new Set(all).size === 1;
    return [
      {
        problem: "duplicate_header",
        message: `${name} is given ${all.length} times, with ${isEqual ? "the same value" : "different values"}. A proxy or a framework copied it, or somebody tampered with the request. It must be there once.`,
      },
    ];
  }
  const [value = ""] = all;
  if (/^\d+$/u.test(value)) return [];
  const hint = Number.isNaN(Date.parse(value)) ? "" : " It looks like a date: something rewrote it.";
  return [
    {
      problem: "malformed_header",
      message: `${name} is ${JSON.stringify(shorten(value))}. It must be whole Unix seconds.${hint}`,
    },
  ];
}

function explainSignature(name: string, values: readonly string[]): Problem[] {
  const all = values.flatMap((value) => value.split(",")).map((value) => value.trim());
  if (all.some((value) => /^v1=[0-9a-f]{64}$/u.test(value))) return [];
  const [value = ""] = all;
  const problem = "malformed_header";
  const [, scheme, digest = value] = /^(\w+)=(?!$)(.*)$/su.exec(value) ?? [];
  const reason = /^(["']).*\1$/su.test(value)
    ? "It is in quotation marks: remove them."
    : /^v1=[0-9a-f]{64}$/iu.test(value)
      ? "Its digits are upper case. The service writes lower case: something changed it."
      : scheme === undefined && /^[0-9a-f]{64}$/iu.test(digest)
        ? "The prefix v1= is missing: something cut it off."
        : scheme !== undefined && scheme !== "v1" && /^[0-9a-f]{64}$/iu.test(digest)
          ? `It begins with ${shorten(scheme)}= in place of v1=: another service or another program signed this.`
          : /^[A-Za-z0-9+/_-]{43}=?$/u.test(digest)
            ? "Its digest is base64. The service writes hexadecimal digits: something converted it."
            : /^[0-9a-f]+$/iu.test(digest)
              ? `It has ${digest.length} digits in place of 64: it was cut off.`
              : "";
  return [
    {
      problem,
      message: `${name} must be v1= and 64 lower-case hexadecimal digits. ${reason}`.trimEnd(),
    },
  ];
}

/** Whether the length of a body contradicts its headers. */
export function explainLength(headers: HeaderLines, body: Uint8Array): readonly Problem[] {
  const given = valuesOf(headers, "content-length")[0]?.trim();
  if (given === undefined || !/^\d+$/u.test(given) || Number(given) === body.length) return [];
  const difference = body.length - Number(given);
  return [
    {
      problem: "body_changed",
      message: `Content-Length is ${given}, but the body has ${body.length} bytes: ${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"}. The body was changed after it arrived, and no usual change explains the signature.`,
    },
  ];
}

/** The same for `X-Service-Signature`, `x_service_signature`, and `HTTP_X_SERVICE_SIGNATURE` of CGI, WSGI, Rack and PHP. */
export function normaliseHeaderName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^http-/u, "");
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
