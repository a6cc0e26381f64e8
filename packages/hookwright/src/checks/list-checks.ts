import process from "node:process";
import { hasAccounts } from "@hookwright/service";
import type { HookwrightOptions } from "../options/options.ts";
import type { CheckedOptions } from "../options/read-options.ts";
import { listStartWarnings } from "../options/start-warnings.ts";
import type { UnknownOptions } from "../options/unknown-options.ts";
import { findStorageError, skipped } from "./check.ts";
import type { Check, CheckFinding } from "./check.ts";
import { checkData } from "./data-check.ts";
import { checkEgress } from "./egress-check.ts";
import { checkEvents } from "./events-check.ts";
import { checkHostNames, checkOutgoingTls, readPublicClock } from "./network-checks.ts";
import { checkOutboxes } from "./outbox-check.ts";
import { checkProxy } from "./proxy-check.ts";
import { checkSecret } from "./secret-check.ts";
import { checkOpenFiles, checkSettings } from "./settings-check.ts";
import type { StorageAccess } from "./storage-access.ts";
import { checkLatency, judgeClock, judgeDurability, judgeSpace, judgeVersions } from "./storage-checks.ts";

/** The checks of `checkHookwright`, in the order of the results. */
export const checkNames = [
  "settings",
  "files",
  "storage",
  "durability",
  "space",
  "secret",
  "data",
  "events",
  "outbox",
  "clock",
  "versions",
  "egress",
  "dns",
  "proxy",
  "tls",
] as const;
export type CheckName = (typeof checkNames)[number];

/** What messages call things that a program may know by another name. */
export interface OptionLabels {
  /** The storage, such as its URL without the password. @default "the redis storage" */
  readonly store: string;
  readonly secret: string;
  readonly events: string;
  readonly outbox: string;
  readonly proxy: string;
  readonly ca: string;
  readonly probeUrl: string;
}

export interface CheckFacts {
  readonly options: Omit<HookwrightOptions, "store">;
  readonly checked: CheckedOptions;
  readonly access: StorageAccess;
  readonly probeUrl: URL | undefined;
  readonly hostNames: readonly string[];
  readonly labels: Partial<OptionLabels> | undefined;
  /** Of `createHookwright` and of the checks. */
  readonly unknown: readonly UnknownOptions[];
}

/** All checks. What an instance must have before it starts is checked with the functions of its start, so both say the same. */
export function listChecks(facts: CheckFacts): readonly Check[] {
  const checks: Readonly<Record<CheckName, Omit<Check, "name">>> = {
    ...listOptionChecks(facts),
    ...listStorageChecks(facts),
    ...listNetworkChecks(facts),
  };
  return checkNames.map((name) => ({ name, ...checks[name] }));
}

function listOptionChecks({ options, checked, unknown }: CheckFacts) {
  const warnings = listStartWarnings(checked, options);
  return {
    settings: { run: () => checkSettings(warnings, unknown) },
    files: { run: () => checkOpenFiles(warnings) },
  } as const;
}

function listStorageChecks({ options, checked, access, labels = {} }: CheckFacts) {
  const { secret, previousSecrets, outbox } = options;
  const fix = "Check the URL of the storage, its password, and whether it runs.";
  const nameOfStore = (): string => {
    const store = access.store();
    return labels.store ?? (store === undefined ? "the storage" : `the ${store.name ?? "custom"} storage`);
  };

  /** Opens the storage as at a start. */
  async function checkStorage(): Promise<CheckFinding> {
    try {
      const store = await access.open();
      // The first read of a start.
      await hasAccounts(store);
      await access.facts();
      return await checkLatency(store, nameOfStore());
    } catch (error) {
      if (findStorageError(error)?.code !== "migration_pending") throw error;
      return skipped(`a server creates or migrates the tables in ${nameOfStore()} at its start`);
    }
  }

  const readFactsIfOpen = async () => (access.store() === undefined ? undefined : access.facts());
  return {
    storage: { fix, run: checkStorage },
    durability: { fix, storage: "needed", run: async () => judgeDurability(await access.facts()) },
    space: {
      fix,
      storage: "needed",
      run: async () => {
        const store = await access.open();
        return judgeSpace(await store.readSpace?.(), store);
      },
    },
    secret: {
      storage: "needed",
      run: async () =>
        checkSecret({ store: await access.open(), secret, previousSecrets }, labels.secret ?? "secret"),
    },
    data: { storage: "needed", run: async () => checkData(await access.open(), nameOfStore()) },
    events: {
      storage: "needed",
      run: async () =>
        checkEvents(await access.open(), checked, labels.events ?? "the option events or builtInEvents"),
    },
    outbox: {
      fix: "Check the URL of the outbox, its password, and the rights of its user.",
      // That of the option is checked without the storage, too.
      storage: outbox !== undefined && ("url" in outbox || "pool" in outbox) ? "used" : "needed",
      run: () =>
        checkOutboxes({
          store: access.store(),
          given: outbox,
          names: { store: nameOfStore(), outbox: labels.outbox ?? "outbox" },
        }),
    },
    clock: {
      storage: "used",
      run: async (signal: AbortSignal) => {
        const ofPublicUrl = await readPublicClock(checked.publicUrl, signal);
        return judgeClock(await readFactsIfOpen(), ofPublicUrl);
      },
    },
    versions: {
      storage: "used",
      run: async () => judgeVersions(await readFactsIfOpen(), process.versions.node),
    },
  } as const;
}

const defaultProbe = new URL("https://example.com");

function listNetworkChecks({ options, checked, probeUrl, hostNames, labels = {} }: CheckFacts) {
  const { egress, publicUrl, privateTargets } = checked;
  const { allowTargets = [] } = options;
  const { proxy: proxyName = "egress.proxy", ca: caName = "egress.ca" } = labels;
  const probe = probeUrl ?? defaultProbe;
  const named = [
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
    ...hostNames,
    ...(egress.proxy === undefined ? [] : [egress.proxy.hostname]),
  ];
  // With a proxy, the names of endpoints are resolved there.
  const endpoints =
    egress.proxy === undefined ? [...allowTargets, ...(probeUrl === undefined ? [] : [probe.hostname])] : [];
  return {
    egress: { run: () => checkEgress(egress) },
    dns: { fix: "Check the name servers.", run: () => checkHostNames([...named, ...endpoints]) },
    proxy: {
      fix: `Check ${proxyName}, its password, and whether the proxy runs.`,
      run: (signal: AbortSignal) => checkProxy(egress, { probeUrl, privateTargets, name: proxyName, signal }),
    },
    tls: {
      fix: `Check the firewall, the proxy, and the authorities that this machine trusts (${caName}).`,
      run: (signal: AbortSignal) =>
        checkOutgoingTls(egress, {
          probeUrl: probe,
          isGiven: probeUrl !== undefined,
          name: labels.probeUrl ?? "probeUrl",
          signal,
        }),
    },
  } as const;
}
