export interface Cors {
  /** The headers for a browser that asks from this origin; undefined where no origin is allowed at all. */
  headersFor(origin: string | null): Readonly<Record<string, string>> | undefined;
  /** The headers of what every origin may read. */
  readonly anyOriginHeaders: Readonly<Record<string, string>>;
  /** What a preflight is answered beyond that. */
  preflightHeaders(allow: string): Readonly<Record<string, string>>;
}

const exposed = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After";

/** Cross-origin answers for the origins that are named, and for no others; credentials travel in `Authorization` alone. */
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
