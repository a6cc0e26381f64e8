import { settingNames } from "@hookwright/domain";
import type { SettingName } from "@hookwright/domain";
import type { HookwrightOptions } from "hookwright";
import type { Settings } from "./options/read-settings.ts";

/** The options of the library that follow from the settings alone. `serve` and `doctor` use the same. */
export function toLibraryOptions(
  settings: Settings,
): Omit<HookwrightOptions, "store" | "secret" | "previousSecrets" | "egress"> {
  const { allowTargets, allowedTargetPorts, maxConnections, hostToken, publicUrl, metricsToken } = settings;
  return {
    ...pickLibrarySettings(settings),
    allowTargets,
    allowedTargetPorts,
    maxConnections,
    hostToken,
    publicUrl,
    metricsToken,
    ...toOutboxOption(settings),
    buildCommit: settings.commit,
  };
}

/** The settings that the server and the library share. */
function pickLibrarySettings(settings: Settings): Pick<Settings, SettingName & keyof Settings>;
function pickLibrarySettings(settings: Settings): unknown {
  const shared = new Set<string>(settingNames);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => shared.has(name)));
}

/** The outbox of a PostgreSQL storage needs no option, unless its transactions notify nobody. */
function toOutboxOption(settings: Settings): Pick<HookwrightOptions, "outbox"> {
  const { outbox: url, outboxNotify: notify, poolSize } = settings;
  if (url !== undefined) return { outbox: { url, poolSize, notify } };
  return notify ? {} : { outbox: { notify } };
}
