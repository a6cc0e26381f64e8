import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkStore } from "hookwright";
import type { Damage, StoreContents } from "hookwright";
import type { Store } from "@hookwright/storage";
import { checkEmptyStorage } from "../checks/empty-storage-check.ts";
import { openStore } from "../open-store.ts";
import type { Environment, Program } from "@hookwright/cli";
import { ServerError } from "../server-error.ts";
import { findPreviousSecrets, findServerSecret } from "../server-secret.ts";
import type { ServerSecretOptions, ServerSecrets } from "../server-secret.ts";
import { describeStorage } from "../storage-location.ts";
import type { StorageLocation } from "../storage-location.ts";
import { openAccountFile } from "../transfer/open-account-file.ts";
import { createProgress, formatCount } from "../transfer/progress.ts";
import { expectFile, readPath } from "./read-path.ts";
import { refuseMissingSchema } from "./refuse-missing-schema.ts";
import { removeWhenStopped } from "./remove-when-stopped.ts";
import {
  readPreviousSecret,
  readSecret,
  readSharedStorage,
  readTlsFilePaths,
  refuseMissingStore,
  storageOption,
} from "./shared-storage.ts";
import type { Given, ServerCommand } from "./server-command.ts";

/** More lines would hide what is wrong. All of them are counted. */
const maximumListed = 1_000;
const partitions = 64;
const silent = { info: () => {}, warn: () => {}, error: () => {} };

/** `hookwright check-storage` reads a whole store and reports damage. */
export const checkStorageCommand: ServerCommand = {
  options: [
    storageOption,
    {
      flag: "from",
      value: "FILE",
      description: "A file from `hookwright export`, which is checked in place of a storage",
    },
    { flag: "json", description: "Print one JSON document" },
  ],
  notes: [
    "It changes no data, and may run beside servers. A backup of a data directory is a data directory: --storage file:DIR.",
    "It reports rows that cannot be decoded, rows that others need and that are missing, counters that are wrong, and encrypted values that the server secret does not decrypt. It uses HOOKWRIGHT_SECRET and HOOKWRIGHT_SECRET_PREVIOUS, or the files of the data directory. Without a secret, encrypted values are not checked.",
    "It exits with 0 if nothing is damaged, with 1 if something is, or if the storage cannot be read, and with 2 if the command line is wrong.",
  ],
  async run(given, program) {
    if (given["from"] !== undefined && given["storage"] !== undefined)
      throw new ServerError("invalid_option", "--from and --storage cannot be given together.");
    const report = createReport();
    const progress = createProgress(program);
    const opened = await openChecked(given, program);
    try {
      const { store, secrets, name } = opened;
      const contents = await checkStore({
        store,
        secrets,
        onDamage: report.add,
        onProgress: (at) =>
          progress.report(
            () => `checked ${formatCount(at.rows)} rows, ${at.partitions} of ${partitions} partitions`,
          ),
      });
      const warning = await opened.findWarning();
      if (given["json"] === undefined) {
        for (const line of report.lines()) program.print(line);
        program.complain(summarise(name, contents.rows, report.counts(), secrets !== undefined));
        program.complain(describeContents(contents));
        if (warning !== undefined) program.complain(`warning: ${warning}`);
      } else {
        const about = { storage: name, ...toJson(contents), secret_checked: secrets !== undefined };
        program.print(report.json({ ...about, warnings: warning === undefined ? [] : [warning] }));
      }
      return report.isClean() ? 0 : 1;
    } finally {
      await opened.close();
    }
  },
};

interface Opened {
  readonly store: Store;
  readonly secrets: ServerSecrets | undefined;
  /** Without a password. */
  readonly name: string;
  /** What is suspicious although nothing is damaged. */
  findWarning(): Promise<string | undefined>;
  close(): Promise<void>;
}

async function openChecked(given: Given, program: Program): Promise<Opened> {
  const { environment } = program;
  if (given["from"] !== undefined) return openFile(readPath("from", given["from"]), program);
  const storage = readSharedStorage(given, environment);
  const tlsFiles = readTlsFilePaths(storage, environment);
  refuseMissingStore(storage);
  // Opening creates the tables.
  if (storage.type === "postgres") await refuseMissingSchema(storage.url);
  const secretOptions = toSecretOptions(storage, environment);
  const secrets = await findSecrets(secretOptions);
  const store = await openStore(storage, { tlsFiles, onWarning: () => {} });
  return {
    store,
    secrets,
    name: describeStorage(storage),
    async findWarning() {
      const { status, message, fix = "" } = await checkEmptyStorage({ ...secretOptions, store });
      return status === "warning" ? `${message}. ${fix}` : undefined;
    },
    close: () => store.close(),
  };
}

/** Its rows are read into a temporary store, because a file may be larger than the memory. */
async function openFile(path: string, program: Program): Promise<Opened> {
  await expectFile("from", path);
  const directory = await mkdtemp(join(tmpdir(), "hookwright-check-"));
  removeWhenStopped(program, directory);
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const store = await openAccountFile(path, { directory });
    const secrets = await findSecrets(toSecretOptions({ type: "memory" }, program.environment));
    return {
      store,
      secrets,
      name: path,
      findWarning: async () => undefined,
      async close() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function toSecretOptions(storage: StorageLocation, environment: Environment): ServerSecretOptions {
  return {
    storage,
    given: readSecret(environment),
    givenPrevious: readPreviousSecret(environment),
    logger: silent,
  };
}

async function findSecrets(options: ServerSecretOptions): Promise<ServerSecrets | undefined> {
  const secret = await findServerSecret(options);
  return secret === undefined
    ? undefined
    : { secret, previousSecrets: await findPreviousSecrets(secret, options) };
}

type Counts = Readonly<Record<string, number>>;

function createReport() {
  const listed: Damage[] = [];
  const counts: Record<string, number> = {};
  return {
    add(damage: Damage): void {
      counts[damage.type] = (counts[damage.type] ?? 0) + 1;
      if (listed.length < maximumListed) listed.push(damage);
    },
    isClean: (): boolean => listed.length === 0,
    counts: (): Counts => counts,
    lines: (): readonly string[] =>
      listed.map(({ type, key, problem }) => `${type}  ${key.map(String).join(" ")}  ${problem}`),
    json: (about: object): string =>
      JSON.stringify({ ok: listed.length === 0, ...about, counts, damage: listed }, undefined, 2),
  };
}

function summarise(name: string, rows: number, counts: Counts, hasSecret: boolean): string {
  const found = Object.entries(counts).map(([type, count]) => `${formatCount(count)} ${type}`);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const result = total === 0 ? "nothing is damaged" : `${formatCount(total)} problems (${found.join(", ")})`;
  const listed = total > maximumListed ? ` The first ${formatCount(maximumListed)} are listed.` : "";
  const secret = hasSecret ? "" : " Encrypted values were not checked, because no server secret is known.";
  return `checked ${formatCount(rows)} rows of ${name}: ${result}.${listed}${secret}`;
}

/** How much there is, so that a restore that brought nothing is seen. */
function describeContents({ accounts, webhooks, pendingDeliveries, lastWrittenAt }: StoreContents): string {
  const counts = `accounts: ${formatCount(accounts)}, webhooks: ${formatCount(webhooks)}, pending deliveries: ${formatCount(pendingDeliveries)}`;
  return `${counts}, last written: ${toTime(lastWrittenAt) ?? "never"}`;
}

function toJson({ rows, accounts, webhooks, pendingDeliveries, lastWrittenAt }: StoreContents) {
  return {
    rows,
    accounts,
    webhooks,
    pending_deliveries: pendingDeliveries,
    last_written_at: toTime(lastWrittenAt) ?? null,
  };
}

function toTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
