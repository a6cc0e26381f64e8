export interface Cors {
  /** The headers for a browser on a page of this origin. Undefined if the options allow no origin. */
  headersFor(origin: string | null): Readonly<Record<string, string>> | undefined;
  /** The headers of a response that every origin may read. */
  readonly anyOriginHeaders: Readonly<Record<string, string>>;
  /** The additional headers of a preflight response. */
  preflightHeaders(allow: string): Readonly<Record<string, string>>;
}

const exposed = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After";

/** Sends cross-origin headers to the named origins only. Credentials are sent only in `Authorization`. */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Map(
    origins.map((origin) => [
      origin,
      { "access-control-allow-origin": origin, "access-control-expose-headers": exposed, vary: "Origin" },
    ]),
  );
  const refused = origins.length === 0 ? undefined : { vary: "Origin" };
  return {
    headersFor: (origin) => (origin === null ? refused : (allowed.get(origin) ?? refused)),
    anyOriginHeaders: { "access-control-allow-origin": "*", "access-control-expose-headers": exposed },
    preflightHeaders: (allow) => ({
      "access-control-allow-methods": allow,
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "600",
    }),
  };
}
