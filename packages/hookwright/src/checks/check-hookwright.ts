import { ConfigurationError, hideSecrets, secretsInUrl } from "@hookwright/domain";
import type { NoOwnEvents, OptionProblem, OwnEvents } from "@hookwright/domain";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import type { HookwrightOptions } from "../options/options.ts";
import { readOptions } from "../options/read-options.ts";
import type { CheckedOptions } from "../options/read-options.ts";
import { describeUnknownOptions } from "../options/unknown-options.ts";
import type { KnownOptions } from "../options/unknown-options.ts";
import { runCheck, skipped } from "./check.ts";
import type { Check, CheckFinding, CheckResult } from "./check.ts";
import { checkNames, listChecks } from "./list-checks.ts";
import type { CheckName, OptionLabels } from "./list-checks.ts";
import { createStorageAccess } from "./storage-access.ts";
import type { StorageAccess } from "./storage-access.ts";

/** The options of `createHookwright`. */
export type CheckedHookwrightOptions<Own extends OwnEvents = OwnEvents> = Omit<
  HookwrightOptions<Own>,
  "store"
> & {
  /**
   * The store of a running instance, or a function that opens the store. What the function opens is closed in the end, and its
   * error is a failed check. Pass `migrate: false` to `openPostgresStore` there, so that no tables are created. Others may create an
   * empty directory, or one key in an empty Redis.
   */
  readonly store: Store | (() => Promise<Store>);
};

/** A check of the program beside those of Hookwright, or around one of them. */
export interface OwnCheck {
  /** With the name of a check of Hookwright, this one takes its place. */
  readonly name: string;
  /**
   * @param signal is aborted when the time of the check is over
   * @param builtIn makes the check of Hookwright with this name, if there is one
   */
  readonly run: (
    signal: AbortSignal,
    builtIn: () => Promise<CheckFinding>,
  ) => Promise<CheckFinding> | CheckFinding;
  /** What to do if it throws, or does not end in time. @default the message says it */
  readonly fix?: string | undefined;
}

export interface CheckOptions {
  /** The names of the checks to make. @default all */
  readonly only?: readonly string[] | undefined;
  /**
   * An `https:` endpoint that must be reachable. Only a TLS handshake is made.
   *
   * @default https://example.com, which may be unreachable
   */
  readonly probeUrl?: string | undefined;
  /** Further host names that must resolve, such as that of the mail server. @default none */
  readonly hostNames?: readonly string[] | undefined;
  /** Checks of the program, such as of its mail server. They come last. @default none */
  readonly checks?: readonly OwnCheck[] | undefined;
  /** What messages call options, for programs that read them from variables. @default the names of the options */
  readonly labels?: Partial<OptionLabels> | undefined;
}

/**
 * Checks what an instance with these options needs: storage, secret, outbox, clock, names, proxy, TLS. It may run before a start,
 * and beside running instances: it delivers nothing, creates no account, writes one row and removes it. The checks run at once. Each
 * one ends within 15 s, and those of the storage after it was opened.
 *
 * A problem is a result, never an error. No result shows a secret.
 *
 * @throws ConfigurationError `invalid_option` for options that `createHookwright` refuses, and for invalid options of the checks
 * @example
 * const results = await checkHookwright({ secret, store: () => openFilesystemStore({ directory: "./data" }) });
 * console.log(formatChecks(results));
 * if (results.some(({ status }) => status === "failed")) process.exitCode = 1;
 */
export async function checkHookwright<const Own extends OwnEvents = NoOwnEvents>(
  options: CheckedHookwrightOptions<Own>,
  checkOptions: CheckOptions = {},
): Promise<readonly CheckResult[]> {
  const opens = typeof options?.store === "function" ? options.store : undefined;
  const withStore = { ...options, store: opens === undefined ? options?.store : memoryStore() };
  const checked = readOptions(withStore as HookwrightOptions);
  const { only, hostNames = [], labels, checks = [] } = checkOptions;
  const probeUrl = readCheckOptions(checkOptions);
  await using access = createStorageAccess(options.store);
  const unknown = [describeUnknownOptions(withStore), describeUnknownOptions(checkOptions, optionsOfChecks)];
  const builtIn = listChecks({
    options: withStore,
    checked,
    access,
    probeUrl,
    hostNames,
    labels,
    unknown: unknown.flatMap((each) => each ?? []),
  });
  const all = combine(builtIn, checks);
  const selected = all.filter(({ name }) => only === undefined || only.includes(name));
  const secrets = secretsOf(options, checked);
  return (await runChecks(selected, { all, access })).map((result) => withoutSecrets(result, secrets));
}

/** The compiler checks that the list is complete. */
const namesOfOptions: Readonly<Record<keyof CheckOptions, true>> = {
  only: true,
  probeUrl: true,
  hostNames: true,
  checks: true,
  labels: true,
};
const optionsOfChecks: KnownOptions = { of: "checkHookwright", names: Object.keys(namesOfOptions) };

/** @throws ConfigurationError `invalid_option` */
function readCheckOptions({
  only = [],
  probeUrl,
  hostNames = [],
  checks = [],
}: CheckOptions): URL | undefined {
  const problems: OptionProblem[] = [];
  const areChecks =
    Array.isArray(checks) &&
    checks.every((each) => typeof each?.name === "string" && typeof each.run === "function");
  if (!areChecks)
    problems.push({ option: "checks", message: "must be a list of { name, run }, where run is a function" });
  if (!areTexts(hostNames)) problems.push({ option: "hostNames", message: "must be a list of host names" });
  const names: readonly string[] = [...checkNames, ...(areChecks ? checks.map(({ name }) => name) : [])];
  const listed = `the checks are ${names.join(", ")}`;
  if (!areTexts(only)) problems.push({ option: "only", message: `must be a list of names: ${listed}` });
  const unknown = areTexts(only) ? only.filter((name) => !names.includes(name)) : [];
  if (unknown.length > 0)
    problems.push({ option: "only", message: `has ${unknown.join(", ")}, but ${listed}` });
  const url = probeUrl === undefined ? undefined : (URL.parse(probeUrl) ?? undefined);
  const isValid = url?.protocol === "https:" && url.username === "" && url.password === "";
  if (probeUrl !== undefined && !isValid)
    problems.push({ option: "probeUrl", message: "must be a URL such as https://hooks.example.com" });
  const [first, ...others] = problems;
  if (first !== undefined) throw new ConfigurationError(first, ...others);
  return url;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** An own check of the same name takes the place of a built-in one. */
function combine(builtIn: readonly Check[], own: readonly OwnCheck[]): readonly Check[] {
  const around = new Map(own.map((each) => [each.name, each]));
  const wrapped = builtIn.map((check): Check => {
    const outer = around.get(check.name);
    if (outer === undefined) return check;
    const { fix = check.fix } = outer;
    return { ...check, fix, run: (signal) => outer.run(signal, async () => check.run(signal)) };
  });
  const names = new Set(builtIn.map(({ name }) => name));
  const added = own
    .filter(({ name }) => !names.has(name))
    .map(({ name, fix, run }): Check => {
      const nothing = async () => skipped("Hookwright has no check of this name");
      return { name, fix, run: (signal) => run(signal, nothing) };
    });
  return [...wrapped, ...added];
}

/** Runs checks at once. Those that need the storage wait until the check `storage` has opened it. */
async function runChecks(
  selected: readonly Check[],
  { all, access }: { readonly all: readonly Check[]; readonly access: StorageAccess },
): Promise<readonly CheckResult[]> {
  const storage = all.find(({ name }) => name === ("storage" satisfies CheckName));
  const isNeeded =
    access.store() === undefined
      ? selected.some((check) => check === storage || check.storage !== undefined)
      : selected.some((check) => check === storage);
  const ofStorage = storage === undefined || !isNeeded ? undefined : runCheck(storage);
  return Promise.all(selected.map(run));

  async function run(check: Check): Promise<CheckResult> {
    if (check === storage && ofStorage !== undefined) return ofStorage;
    const opened = check.storage === undefined ? undefined : await ofStorage;
    if (opened === undefined || check.storage === "used" || access.store() !== undefined)
      return runCheck(check);
    const reason = opened.status === "skipped" ? opened.message : "the storage cannot be used";
    return { name: check.name, ...skipped(reason) };
  }
}

function secretsOf(
  { secret, previousSecrets = [], metricsToken, outbox, egress }: Omit<HookwrightOptions, "store">,
  { hostTokens }: CheckedOptions,
): readonly string[] {
  const ofOutbox = outbox !== undefined && "url" in outbox ? outbox.url : undefined;
  return [
    secret,
    ...previousSecrets,
    ...hostTokens.map(({ token }) => token),
    ...(metricsToken === undefined ? [] : [metricsToken]),
    ...[ofOutbox, egress?.proxy].flatMap(secretsInUrl),
  ];
}

/** A library may put one into its error. */
function withoutSecrets(result: CheckResult, secrets: readonly string[]): CheckResult {
  const { fix } = result;
  return {
    ...result,
    message: hideSecrets(result.message, secrets),
    ...(fix === undefined ? {} : { fix: hideSecrets(fix, secrets) }),
  };
}
