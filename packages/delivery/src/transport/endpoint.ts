import { isIP } from "node:net";

/** Where a delivery goes, taken apart once for each `target_url` and reused for every attempt. */
export interface Endpoint {
  /** Scheme, host and port: connections with the same one are interchangeable. */
  readonly origin: string;
  readonly secure: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly hostname: string;
  /** What TLS names and checks: without a trailing dot (RFC 6066 §3), and undefined for an IP literal. */
  readonly serverName: string | undefined;
  readonly port: number;
  /** Request line and `Host`, ready to be written. */
  readonly requestPrefix: string;
}

export function toEndpoint(url: URL): Endpoint {
  const secure = url.protocol === "https:";
  const hostname = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
  return {
    origin: url.origin,
    secure,
    hostname,
    serverName: isIP(hostname) === 0 ? hostname.replace(/\.$/u, "") : undefined,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    // The URL parser has percent-encoded everything that could end the line.
    requestPrefix: `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`,
  };
}
