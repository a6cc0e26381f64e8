/** An HTTP proxy for outgoing connections. */
export interface ProxyTarget {
  /** Whether the connection to the proxy itself uses TLS. */
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly hostname: string;
  readonly port: number;
  /** `user:password`, decoded. Undefined without credentials. */
  readonly credentials: string | undefined;
}

/**
 * Parses the URL of an HTTP proxy. Undefined if it is invalid.
 *
 * @example parseProxyUrl("http://user:password@proxy.example.com:3128")
 */
export function parseProxyUrl(text: string): ProxyTarget | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.hostname === "")
    return undefined;
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") return undefined;
  const isSecure = url.protocol === "https:";
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === undefined || password === undefined) return undefined;
  return {
    isSecure,
    hostname: url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    credentials: user === "" && password === "" ? undefined : `${user}:${password}`,
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
