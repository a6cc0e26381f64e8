import { isIP } from "node:net";
import {
  maximumTargetUrlLength,
  targetNameProblem,
  targetPortProblem,
  targetUrlProblems,
} from "@hookwright/domain";
import type { AllowedPort } from "@hookwright/domain";
import { isPublicAddress } from "./public-address.ts";

/** What may be delivered to. `privateTargets` is for trials; `trustedOrigins` names single origins (the demo's own receiver). */
export interface TargetPolicy {
  /** Permit `http:`, every private or loopback address and name, and every port. @default false */
  readonly privateTargets?: boolean | undefined;
  /** Exact origins (`http://127.0.0.1:8787`) that are permitted whatever they resolve to. @default [] */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** Ports, and ranges of them, that may be delivered to. @default [443, 8443, [1024, 65535]] */
  readonly allowedTargetPorts?: readonly AllowedPort[] | undefined;
}

export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/**
 * Judges the text of a `target_url`; it resolves nothing. The names behind it are checked at every connection.
 *
 * @example parseTargetUrl("https://example.com/hooks", {}) // { ok: true, url }
 * @see contract §5, "target_url"
 */
export function parseTargetUrl(text: string, policy: TargetPolicy): TargetVerdict {
  if (text.length > maximumTargetUrlLength) return refuse(targetUrlProblems.tooLong);
  // `new URL` would trim white space and drop tabs and line ends inside: what was sent is what must be dialled.
  if (/[\s\p{Cc}]/u.test(text)) return refuse(targetUrlProblems.whiteSpace);
  // `https:/host`, `https:host` and `https:///host` parse as well; the specification asks for `https://`.
  if (!/^https?:\/\/[^/\\]/iu.test(text)) return refuse(targetUrlProblems.notHttps);
  // The parser drops an empty user name (`https://@host`), so the text is asked. A backslash ends the host as a slash does.
  if (/^[^:]+:\/\/[^/\\?#]*@/u.test(text)) return refuse(targetUrlProblems.userInfo);
  const url = URL.parse(text);
  if (url === null) return refuse(targetUrlProblems.notUrl);
  if (policy.trustedOrigins?.includes(url.origin) === true) return { ok: true, url };
  if (policy.privateTargets === true) return { ok: true, url };
  if (url.protocol !== "https:") return refuse(targetUrlProblems.plainHttp);
  const problem = hostProblem(url.hostname) ?? targetPortProblem(url, policy.allowedTargetPorts);
  return problem === undefined ? { ok: true, url } : refuse(problem);
}

function hostProblem(hostname: string): string | undefined {
  // The parser has already read decimal, octal, hexadecimal and short spellings of IPv4 into dotted decimal.
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (isIP(literal) !== 0)
    return isPublicAddress(literal) ? undefined : targetUrlProblems.notPublicAddress(literal);
  return targetNameProblem(hostname);
}

function refuse(reason: string): TargetVerdict {
  return { ok: false, reason };
}
