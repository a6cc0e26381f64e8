import { hidePassword } from "@hookwright/domain";
import { describeStorage } from "../storage-location.ts";
import type { Option } from "./option.ts";
import { options } from "./options.ts";
import type { Settings } from "./read-settings.ts";

/** All settings by name, for the log. Secrets are left out, and URLs have no passwords. */
export function describeSettings(settings: Settings): Readonly<Record<string, unknown>> {
  const { storage, outbox, ...others } = settings;
  const secrets = new Set(
    Object.entries(options).flatMap(([name, { secret }]: [string, Option<unknown>]) =>
      secret === true ? [name] : [],
    ),
  );
  return {
    ...Object.fromEntries(
      Object.entries(others).filter(([name, value]) => value !== undefined && !secrets.has(name)),
    ),
    storage: describeStorage(storage),
    ...(outbox === undefined ? {} : { outbox: hidePassword(outbox) }),
  };
}
