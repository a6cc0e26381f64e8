import { createSecureContext, getCACertificates } from "node:tls";
import type { SecureContextOptions } from "node:tls";
import type { Logger } from "hookwright";
import type { Store } from "@hookwright/storage";
import { readEgress } from "../egress-files.ts";
import { openStore } from "../open-store.ts";
import type { Settings } from "../options/read-settings.ts";
import { describeStorage } from "../storage-location.ts";
import { failed, ok, runCheck, skipped } from "./check.ts";
import type { Check, CheckResult, Finding } from "./check.ts";
import { checkEmptyStorage } from "./empty-storage-check.ts";
import { checkNames, checkOutgoingTls, checkProxy, checkSmtp, readPublicClock } from "./network-checks.ts";
import type { Egress } from "./network-checks.ts";
import { checkOutboxes } from "./outbox-check.ts";
import { checkSecret } from "./secret-check.ts";
import {
  checkLatency,
  findNoStorage,
  judgeClock,
  judgeDurability,
  judgeSpace,
  judgeVersions,
} from "./storage-checks.ts";
import { readStorageFacts } from "./read-storage-facts.ts";
import type { StorageFacts } from "./storage-facts.ts";

export interface DoctorOptions {
  readonly settings: Settings;
  /** An endpoint to reach. @default example.com, which need not be reachable */
  readonly probeUrl: URL | undefined;
  readonly nodeVersion: string;
  /** Of each check. */
  readonly timeoutMs: number;
}

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };
const defaultProbe = new URL("https://example.com");
const checkStorage = "Check the URL of the storage, its password, and whether it runs.";

/** Checks everything that the server needs. Checks of the network run at once, those of the storage one after the other. */
export async function runDoctor(options: DoctorOptions): Promise<readonly CheckResult[]> {
  const { settings, timeoutMs } = options;
  const run = (name: string, fix: string, work: Check["run"]): Promise<CheckResult> =>
    runCheck({ name, fix, run: work }, timeoutMs);
  const { egress, finding } = await prepareEgress(settings);
  const results = await Promise.all([
    checkStored(options, run),
    run("egress", "", async () => finding),
    ...checkNetwork(options, egress, run),
  ]);
  return results.flat();
}

type Run = (name: string, fix: string, work: Check["run"]) => Promise<CheckResult>;

async function checkStored(
  { settings, nodeVersion, timeoutMs }: DoctorOptions,
  run: Run,
): Promise<CheckResult[]> {
  const { storage } = settings;
  const reason = findNoStorage(storage);
  const publicClock = readPublicClock(settings.publicUrl, AbortSignal.timeout(timeoutMs));
  let store: Store | undefined;
  let facts: StorageFacts | undefined;
  const results: CheckResult[] = [];
  /** A check that needs the storage. */
  const add = async (name: string, work: () => Promise<Finding> | Finding): Promise<void> => {
    results.push(
      await run(name, checkStorage, async () => {
        if (reason !== undefined) return skipped(reason);
        return store === undefined || facts === undefined ? skipped("the storage cannot be used") : work();
      }),
    );
  };
  try {
    results.push(
      await run("storage", checkStorage, async () => {
        if (reason !== undefined) return skipped(reason);
        facts = await readStorageFacts(storage, { tlsFiles: settings, timeoutMs });
        store = await openStore(storage, { tlsFiles: settings, onWarning: () => {} });
        return checkLatency(store, describeStorage(storage));
      }),
    );
    await add("durability", () => (facts === undefined ? skipped("") : judgeDurability(facts)));
    await add("space", () => judgeSpace(facts ?? { freeBytes: undefined }, storage.type));
    const secretOptions = (opened: Store) => ({
      storage,
      store: opened,
      given: settings.secret,
      givenPrevious: settings.secretPrevious,
      logger: silent,
    });
    await add("secret", () => (store === undefined ? skipped("") : checkSecret(secretOptions(store))));
    await add("data", () => (store === undefined ? skipped("") : checkEmptyStorage(secretOptions(store))));
    results.push(
      await run("outbox", "Check the URL of the outbox, its password, and the rights of its user.", () =>
        checkOutboxes(settings),
      ),
    );
    const clockAhead = await publicClock;
    results.push(await run("clock", "", async () => judgeClock(facts, clockAhead)));
    results.push(await run("versions", "", async () => judgeVersions(facts, nodeVersion)));
    return results;
  } finally {
    await store?.close();
  }
}

function checkNetwork(
  { settings, probeUrl, timeoutMs }: DoctorOptions,
  egress: Egress,
  run: Run,
): readonly Promise<CheckResult>[] {
  const { publicUrl, smtpUrl, proxy, allowTargets } = settings;
  const probe = probeUrl ?? defaultProbe;
  const named = [publicUrl, smtpUrl, proxy].flatMap((url) =>
    url === undefined ? [] : [new URL(url).hostname],
  );
  // With a proxy, the names of endpoints are resolved there.
  const endpoints = [...allowTargets, ...(probeUrl === undefined ? [] : [probe.hostname])];
  const hostnames = proxy === undefined ? [...named, ...endpoints] : named;
  /** A machine without the Internet may still have endpoints. */
  const unlessDefault = async (work: Promise<Finding>): Promise<Finding> =>
    probeUrl === undefined && proxy === undefined
      ? work.catch((error: unknown) =>
          skipped(
            `${probe.host} cannot be reached (${error instanceof Error ? error.message : String(error)}). Name an endpoint with --probe-url`,
          ),
        )
      : work;
  return [
    run("dns", "Check the name servers.", () => checkNames(hostnames)),
    run(
      "proxy",
      "Check HOOKWRIGHT_PROXY, its password, and whether the proxy allows this target.",
      (signal) => checkProxy(probe, egress, signal),
    ),
    run(
      "tls",
      "Check the firewall, the proxy, and the authorities that this machine trusts (--delivery-ca).",
      (signal) => unlessDefault(checkOutgoingTls(probe, egress, signal)),
    ),
    run(
      "smtp",
      "Check SMTP_URL: host, port, user and password. smtps:// is for TLS from the start (port 465).",
      () => checkSmtp(smtpUrl, timeoutMs),
    ),
  ];
}

/** The files and the address that deliveries use. */
async function prepareEgress(
  settings: Settings,
): Promise<{ readonly egress: Egress; readonly finding: Finding }> {
  const { proxy } = settings;
  try {
    const { sourceAddress, clientCertificate, ca } = await readEgress(settings);
    const tls: SecureContextOptions = {
      ...clientCertificate,
      ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] }),
    };
    createSecureContext(tls);
    const used = [
      ...(sourceAddress === undefined ? [] : [`the source address ${sourceAddress}`]),
      ...(clientCertificate === undefined ? [] : ["a client certificate"]),
      ...(ca === undefined ? [] : ["more authorities"]),
    ];
    const finding =
      used.length === 0
        ? skipped("deliveries have no client certificate and no fixed source address")
        : ok(`deliveries use ${used.join(", ")}`);
    return { egress: { proxy, sourceAddress, tls }, finding };
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/\.$/u, "") : String(error);
    return {
      egress: { proxy, sourceAddress: undefined, tls: {} },
      finding: failed(message, "The server does not start with it."),
    };
  }
}
