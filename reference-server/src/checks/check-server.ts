import { checkHookwright } from "hookwright";
import type { CheckFinding, CheckResult, HookwrightOptions, Logger, OwnCheck } from "hookwright";
import type { Store } from "@hookwright/storage";
import { readEgress } from "../egress-files.ts";
import type { EgressSettings } from "../egress-files.ts";
import { toLibraryOptions } from "../library-options.ts";
import { openStore, requirePackages } from "../open-store.ts";
import { nameOf } from "../options/option.ts";
import { defaultAdminHost, options } from "../options/options.ts";
import type { Settings } from "../options/read-settings.ts";
import { randomSecret } from "../secret-file.ts";
import { examineServerSecrets, findPreviousSecrets, findServerSecret } from "../server-secret.ts";
import type { ServerSecretOptions } from "../server-secret.ts";
import { toStartError } from "../start-error.ts";
import { describeStorage } from "../storage-location.ts";
import type { Environment } from "@hookwright/cli";
import { checkAddress } from "./address-check.ts";
import { checkEmptyStorage } from "./empty-storage-check.ts";
import { findNoStorage } from "./find-no-storage.ts";
import { listServerWarnings } from "./settings-check.ts";
import { checkSmtp } from "./smtp-check.ts";

export interface ServerCheckOptions {
  readonly settings: Settings;
  readonly environment: Environment;
  /** The open store of a running server. @default opened as a server opens it, and closed in the end */
  readonly store?: Store | undefined;
  /** @default all */
  readonly only?: readonly string[] | undefined;
  /** An endpoint to reach. @default example.com, which need not be reachable */
  readonly probeUrl?: string | undefined;
}

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} };

/** Those of the process come before those of the storage. */
const first = ["settings", "files", "port", "admin port"];

/**
 * All checks, in the order of `hookwright doctor`: those of the library, and those of a server on its own. What a server must
 * have before it starts is checked with the function that the server calls, so both refuse it in the same words.
 */
export async function checkServer(given: ServerCheckOptions): Promise<readonly CheckResult[]> {
  const { settings, only, probeUrl } = given;
  const { storage, smtpUrl } = settings;
  const opened = openOnce(given);
  const secretOptions: ServerSecretOptions = {
    storage,
    given: settings.secret,
    givenPrevious: settings.secretPrevious,
    logger: silent,
  };
  const results = await checkHookwright(
    {
      ...toLibraryOptions(settings),
      ...(await findSecrets(secretOptions)),
      egress: await readUsableEgress(settings),
      store: given.store ?? opened,
    },
    {
      only,
      probeUrl,
      hostNames: smtpUrl === undefined ? [] : [new URL(smtpUrl).hostname],
      labels: {
        store: describeStorage(storage),
        secret: settings.secret === undefined ? "the file `secret`" : "HOOKWRIGHT_SECRET",
        events: nameOf(options.builtInEvents),
        outbox: "--outbox",
        proxy: "HOOKWRIGHT_PROXY",
        ca: "--delivery-ca",
        probeUrl: "--probe-url",
      },
      checks: listServerChecks(given, opened, secretOptions),
    },
  );
  const rank = ({ name }: CheckResult): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return results.toSorted((one, other) => rank(one) - rank(other));
}

function listServerChecks(
  { settings, environment }: ServerCheckOptions,
  open: () => Promise<Store>,
  secretOptions: ServerSecretOptions,
): readonly OwnCheck[] {
  const { storage, port, host, adminPort, adminHost = defaultAdminHost, smtpUrl } = settings;
  const { adminPort: portName, adminHost: hostName } = options;
  const withStore = async () => ({ ...secretOptions, store: await open() });
  return [
    {
      name: "settings",
      run: async (_, builtIn) => addWarnings(await builtIn(), listServerWarnings(settings, environment)),
    },
    { name: "port", run: (signal) => checkAddress({ port, host }, signal) },
    {
      name: "admin port",
      run: async (signal) =>
        adminPort === undefined
          ? { status: "skipped", message: "HOOKWRIGHT_ADMIN_PORT is not set" }
          : checkAddress(
              { port: adminPort, host: adminHost, names: { port: portName, host: hostName } },
              signal,
            ),
    },
    {
      name: "storage",
      async run(_, builtIn) {
        const reason = findNoStorage(storage);
        if (reason === undefined) return refuseAsAtStart(settings, builtIn);
        await requirePackages(storage);
        return { status: "skipped", message: reason };
      },
    },
    {
      name: "secret",
      async run(_, builtIn) {
        if ((await examineServerSecrets(await withStore())) !== undefined) return builtIn();
        return { status: "ok", message: "there is none yet. A server creates it at its first start" };
      },
    },
    { name: "data", run: async () => checkEmptyStorage(await withStore()) },
    { name: "outbox", run: (_, builtIn) => refuseAsAtStart(settings, builtIn) },
    {
      name: "egress",
      async run(_, builtIn) {
        await readEgress(settings);
        return refuseAsAtStart(settings, builtIn);
      },
    },
    {
      name: "smtp",
      fix: "Check SMTP_URL: host, port, user and password. smtps:// is for TLS from the start (port 465).",
      run: () => checkSmtp(smtpUrl),
    },
  ];
}

/** @throws {ServerError} as a server at its start */
async function refuseAsAtStart<Result>(settings: Settings, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw toStartError(settings, error);
  }
}

function addWarnings(finding: CheckFinding, warnings: readonly string[]): CheckFinding {
  if (warnings.length === 0) return finding;
  const others = finding.status === "ok" ? [] : [finding.message];
  return { status: "warning", message: [...warnings, ...others].join(" ") };
}

/** The checks and their surroundings use one store. */
function openOnce({ settings, store }: ServerCheckOptions): () => Promise<Store> {
  const { storage, poolSize } = settings;
  let opening = store && Promise.resolve(store);
  return () =>
    (opening ??= openStore(storage, {
      tlsFiles: settings,
      poolSize,
      mayMigrate: false,
      onWarning: () => {},
    }));
}

/** If there is none, or it cannot be read, the check `secret` says so. */
async function findSecrets(
  options: ServerSecretOptions,
): Promise<Pick<HookwrightOptions, "secret" | "previousSecrets">> {
  const secret = await findServerSecret(options).catch(() => undefined);
  if (secret === undefined) return { secret: randomSecret() };
  return { secret, previousSecrets: await findPreviousSecrets(secret, options).catch(() => []) };
}

/** Without files that cannot be used, which the check `egress` names. */
function readUsableEgress(settings: EgressSettings): Promise<HookwrightOptions["egress"]> {
  return readEgress(settings).catch(() => ({ proxy: settings.proxy }));
}
