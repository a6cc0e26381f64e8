import { findNearest, settingNames } from "@hookwright/domain";
import type { SettingName } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";

/** The options beside the settings. The compiler checks that the list is complete. */
const others: Readonly<Record<Exclude<keyof HookwrightOptions, SettingName>, true>> = {
  store: true,
  secret: true,
  previousSecrets: true,
  basePath: true,
  publicUrl: true,
  hostToken: true,
  metricsToken: true,
  trustedOrigins: true,
  allowTargets: true,
  allowedTargetPorts: true,
  egress: true,
  developerSite: true,
  readinessWarnings: true,
  events: true,
  contacts: true,
  orders: true,
  blogPosts: true,
  onSubscribed: true,
  mailer: true,
  onNotice: true,
  outbox: true,
  logger: true,
  buildCommit: true,
  now: true,
  corsOrigins: true,
  bodyMemoryBytes: true,
  maxConnections: true,
};

/** The options of a function. */
export interface KnownOptions {
  /** The name of the function. */
  readonly of: string;
  readonly names: readonly string[];
}

const optionsOfHookwright: KnownOptions = {
  of: "createHookwright",
  names: [...settingNames, ...Object.keys(others)],
};

export interface UnknownOptions {
  readonly names: readonly string[];
  readonly message: string;
}

/**
 * Finds options that do not exist, such as `basepath`. Undefined if there are none. They cause a warning, not an error:
 * a program may pass additional settings, and an earlier version must start with options of a later one.
 *
 * @param known @default those of `createHookwright`
 */
export function describeUnknownOptions(
  options: object,
  known: KnownOptions = optionsOfHookwright,
): UnknownOptions | undefined {
  const names = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !known.names.includes(name))
    .map(([name]) => name);
  if (names.length === 0) return undefined;
  const described = names.map((name) => {
    const nearest = findNearest(name, known.names);
    return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
  });
  return {
    names,
    message: `${known.of} ignores unknown options: ${described.join(", ")}`,
  };
}
