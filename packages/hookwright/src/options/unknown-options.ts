import { findNearest } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";

/** Each option of the interface, to which the compiler holds it. */
const known: Readonly<Record<keyof HookwrightOptions, true>> = {
  store: true,
  secret: true,
  basePath: true,
  hostToken: true,
  privateTargets: true,
  trustedOrigins: true,
  allowedTargetPorts: true,
  retryDelaysSeconds: true,
  attemptTimeoutSeconds: true,
  rateLimitPerMinute: true,
  consoleRateLimitPerMinute: true,
  sendsPerMinute: true,
  consoleTokenSeconds: true,
  role: true,
  developerSite: true,
  metrics: true,
  retentionDays: true,
  deliveriesKept: true,
  deliveryLogMiB: true,
  requestsKept: true,
  contacts: true,
  orders: true,
  blogPosts: true,
  onSubscribed: true,
  mailer: true,
  logger: true,
  now: true,
  corsOrigins: true,
  bodyLimitBytes: true,
  trustProxy: true,
  bodyMemoryBytes: true,
};

export interface UnknownOptions {
  readonly names: readonly string[];
  readonly message: string;
}

/**
 * Options that nothing reads, such as `basepath`; undefined if there are none. They are no error: a program may pass on
 * settings that have more in them, and an option of a later version must not keep an earlier one from starting.
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
    message: `createHookwright ignores options that it does not know: ${described.join(", ")}`,
  };
}
