import process from "node:process";
import { hasAccounts } from "hookwright";
import type { Logger } from "hookwright";
import type { Store } from "@hookwright/storage";
import { readPostgresMigrationSql } from "@hookwright/storage/postgres";
import { requirePackages } from "../open-store.ts";
import { defaultAdminHost, options } from "../options/options.ts";
import type { Settings } from "../options/read-settings.ts";
import type { Environment } from "@hookwright/cli";
import type { StoredSecretOptions } from "../server-secret.ts";
import { toStartError } from "../start-error.ts";
import { describeStorage } from "../storage-location.ts";
import { checkAddress } from "./address-check.ts";
import { checkTimeoutMs, skipped } from "./check.ts";
import type { Check, Finding } from "./check.ts";
import { checkEgress } from "./egress-check.ts";
import { checkEmptyStorage } from "./empty-storage-check.ts";
import { checkNames, checkOutgoingTls, checkSmtp, readPublicClock } from "./network-checks.ts";
import { checkEvents } from "./events-check.ts";
import { checkOutboxes } from "./outbox-check.ts";
import { checkProxy } from "./proxy-check.ts";
import { checkSecret } from "./secret-check.ts";
import { checkOpenFiles, checkSettings } from "./settings-check.ts";
import type { StorageAccess } from "./storage-access.ts";
import {
  checkLatency,
  findNoStorage,
  judgeClock,
  judgeDurability,
  judgeSpace,
  judgeVersions,
} from "./storage-checks.ts";
import { wouldChangeTables } from "./tables-to-create.ts";

export interface CheckFacts {
  readonly settings: Settings;
  readonly environment: Environment;
  readonly access: StorageAccess;
  /** An endpoint to reach. @default example.com, which need not be reachable */
  readonly probeUrl?: URL | undefined;
}

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Names of checks that a server repeats while it runs. What they find is no reason to stop. */
export const checksOfServers: ReadonlySet<string> = new Set(["data", "space", "clock", "proxy"]);

/**
 * All checks, in the order of `hookwright doctor`. What a server must have before it starts is checked with the function that
 * the server calls, so both refuse it in the same words.
 */
export function listChecks(facts: CheckFacts): readonly Check[] {
  const { settings, environment } = facts;
  return [
    { name: "settings", fix: "", run: () => checkSettings(settings, environment) },
    { name: "files", fix: "", run: () => checkOpenFiles(settings) },
    ...listAddressChecks(settings),
    ...listStorageChecks(facts),
    ...listNetworkChecks(facts),
  ];
}

function listAddressChecks({
  port,
  host,
  adminPort,
  adminHost = defaultAdminHost,
}: Settings): readonly Check[] {
  const fix = "Check the port and the address.";
  const { adminPort: portName, adminHost: hostName } = options;
  const names = { port: portName, host: hostName };
  return [
    { name: "port", fix, run: (signal) => checkAddress({ port, host }, signal) },
    {
      name: "admin port",
      fix,
      run: async (signal) =>
        adminPort === undefined
          ? skipped("HOOKWRIGHT_ADMIN_PORT is not set")
          : checkAddress({ port: adminPort, host: adminHost, names }, signal),
    },
  ];
}

function listStorageChecks(facts: CheckFacts): readonly Check[] {
  const { settings, access } = facts;
  const { storage, secret: given, secretPrevious: givenPrevious, publicUrl } = settings;
  const fix = "Check the URL of the storage, its password, and whether it runs.";
  const withSecret = (store: Store): StoredSecretOptions => ({
    storage,
    store,
    given,
    givenPrevious,
    logger: silent,
  });
  const ofStorage = (name: string, run: Check["run"]): Check => ({ name, fix, storage: "needed", run });
  return [
    { name: "storage", fix, run: () => checkStorage(facts) },
    ofStorage("durability", async () => judgeDurability(await access.facts())),
    ofStorage("space", async () => judgeSpace(await access.facts(), storage.type)),
    ofStorage("secret", async () => checkSecret(withSecret(await access.open()))),
    ofStorage("data", async () => checkEmptyStorage(withSecret(await access.open()))),
    ofStorage("events", async () => checkEvents(await access.open(), settings.builtInEvents)),
    {
      name: "outbox",
      fix: "Check the URL of the outbox, its password, and the rights of its user.",
      run: async () => {
        try {
          return await checkOutboxes(settings);
        } catch (error) {
          throw toStartError(settings, error);
        }
      },
    },
    {
      name: "clock",
      fix: "",
      storage: "used",
      run: async (signal) => {
        const ofPublicUrl = await readPublicClock(publicUrl, signal);
        return judgeClock(await readFactsIfOpen(access), ofPublicUrl);
      },
    },
    {
      name: "versions",
      fix: "",
      storage: "used",
      run: async () => judgeVersions(await readFactsIfOpen(access), process.versions.node),
    },
  ];
}

async function readFactsIfOpen(access: StorageAccess) {
  return access.store() === undefined ? undefined : access.facts();
}

/** Opens the storage as a server does, unless that would create or migrate it. */
async function checkStorage({ settings, access }: CheckFacts): Promise<Finding> {
  const { storage } = settings;
  const reason = findNoStorage(storage);
  if (reason !== undefined) {
    await requirePackages(storage);
    return skipped(reason);
  }
  const name = describeStorage(storage);
  if (storage.type === "postgres") {
    const { url } = storage;
    if (await wouldChangeTables(url, () => readPostgresMigrationSql({ url })))
      return skipped(`a server creates or migrates the tables in ${name} at its start`);
  }
  const store = await access.open();
  try {
    // The first read of a server.
    await hasAccounts(store);
    await access.facts();
    return await checkLatency(store, name);
  } catch (error) {
    throw toStartError(settings, error);
  }
}

const defaultProbe = new URL("https://example.com");

function listNetworkChecks({ settings, probeUrl }: CheckFacts): readonly Check[] {
  const { publicUrl, smtpUrl, proxy, allowTargets } = settings;
  const probe = probeUrl ?? defaultProbe;
  const named = [publicUrl, smtpUrl, proxy].flatMap((url) =>
    url === undefined ? [] : [new URL(url).hostname],
  );
  const endpoints = [...allowTargets, ...(probeUrl === undefined ? [] : [probe.hostname])];
  // With a proxy, the names of endpoints are resolved there.
  const hostnames = proxy === undefined ? [...named, ...endpoints] : named;
  return [
    { name: "egress", fix: "", run: () => checkEgress(settings) },
    { name: "dns", fix: "Check the name servers.", run: () => checkNames(hostnames) },
    {
      name: "proxy",
      fix: "Check HOOKWRIGHT_PROXY, its password, and whether the proxy runs.",
      run: (signal) => checkProxy(settings, { probeUrl, signal }),
    },
    {
      name: "tls",
      fix: "Check the firewall, the proxy, and the authorities that this machine trusts (--delivery-ca).",
      run: (signal) =>
        checkOutgoingTls(settings, { probeUrl: probe, isGiven: probeUrl !== undefined, signal }),
    },
    {
      name: "smtp",
      fix: "Check SMTP_URL: host, port, user and password. smtps:// is for TLS from the start (port 465).",
      run: () => checkSmtp(smtpUrl, checkTimeoutMs),
    },
  ];
}
