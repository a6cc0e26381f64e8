import { isIP } from "node:net";
import { parseTargetUrl } from "@hookwright/domain";
import type { TargetPolicy } from "@hookwright/domain";

/** Where a request goes. */
export interface Target {
  /** Scheme, host and port. Requests to the same one can share a connection. */
  readonly origin: string;
  readonly isSecure: boolean;
  /** Whether the addresses of the name are checked. */
  readonly isChecked: boolean;
  /** The host program vouches for it, so it is reached directly and not through a proxy. */
  readonly isTrusted: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly hostname: string;
  /** The name in TLS, without a trailing dot (RFC 6066 §3). Undefined for an IP literal. */
  readonly serverName: string | undefined;
  readonly port: number;
  /** Request line and `Host`. */
  readonly requestStart: string;
}

export type TargetVerdict =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly reason: string };

/** They take a few megabytes at most. */
const maximumTargets = 10_000;
const maximumCachedUrlLength = 256;

/** Parses each `target_url` once, not for every attempt. It is checked again here, because the policy may have changed. */
export function createTargetParser(policy: TargetPolicy): (targetUrl: string) => TargetVerdict {
  const cache = new Map<string, TargetVerdict>();
  return (targetUrl) => {
    const cached = cache.get(targetUrl);
    if (cached !== undefined) return cached;
    const verdict = parseTargetUrl(targetUrl, policy);
    if (!verdict.ok) return verdict;
    const parsed: TargetVerdict = { ok: true, target: toTarget(verdict.url, policy) };
    if (targetUrl.length > maximumCachedUrlLength) return parsed;
    if (cache.size >= maximumTargets) cache.clear();
    cache.set(targetUrl, parsed);
    return parsed;
  };
}

function toTarget(url: URL, { privateTargets, trustedOrigins }: TargetPolicy): Target {
  const isSecure = url.protocol === "https:";
  const isTrusted = trustedOrigins?.includes(url.origin) === true;
  const hostname = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return {
    origin: url.origin,
    isSecure,
    isChecked: privateTargets !== true && !isTrusted,
    isTrusted,
    hostname,
    serverName: isIP(hostname) === 0 ? hostname.replace(/\.$/u, "") : undefined,
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    // The URL parser has percent-encoded everything that could end the line.
    requestStart: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`,
  };
}
