import { findNearest } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";

/** All known options. The compiler checks that the list is complete. */
const known: Readonly<Record<keyof HookwrightOptions, true>> = {
  store: true,
  secret: true,
  previousSecrets: true,
  basePath: true,
  publicUrl: true,
  hostToken: true,
  metricsToken: true,
  privateTargets: true,
  trustedOrigins: true,
  allowTargets: true,
  allowedTargetPorts: true,
  egress: true,
  retryDelaysSeconds: true,
  attemptTimeoutSeconds: true,
  endpointBackoffSeconds: true,
  obeyRetryAfter: true,
  standardWebhooks: true,
  rateLimitPerMinute: true,
  consoleRateLimitPerMinute: true,
  sendsPerMinute: true,
  consoleTokenSeconds: true,
  role: true,
  developerSite: true,
  operatorConsole: true,
  metrics: true,
  adminListener: true,
  retentionDays: true,
  auditRetentionDays: true,
  deliveriesKept: true,
  deliveryLogMiB: true,
  requestsKept: true,
  events: true,
  contacts: true,
  orders: true,
  blogPosts: true,
  onSubscribed: true,
  mailer: true,
  outbox: true,
  logger: true,
  accessLog: true,
  attemptLog: true,
  buildCommit: true,
  now: true,
  corsOrigins: true,
  bodyLimitBytes: true,
  trustProxy: true,
  bodyMemoryBytes: true,
  maxConnections: true,
};

export interface UnknownOptions {
  readonly names: readonly string[];
  readonly message: string;
}

/**
 * Finds options that do not exist, such as `basepath`. Undefined if there are none. They cause a warning, not an error:
 * a program may pass additional settings, and an earlier version must start with options of a later one.
 */
export function describeUnknownOptions(options: object): UnknownOptions | undefined {
  const names = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(known, name))
    .map(([name]) => name);
  if (names.length === 0) return undefined;
  const described = names.map((name) => {
    const nearest = findNearest(name, Object.keys(known));
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  return {
    names,
    message: `createHookwright ignores unknown options: ${described.join(", ")}`,
  };
}
