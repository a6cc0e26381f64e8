import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { migratePostgresStore, openPostgresStore } from "@hookwright/storage/postgres";
import { openRedisStore } from "@hookwright/storage/redis";
import { readCheck, readProcedure, readRights } from "./backup-page.ts";
import { startPostgresServer } from "./postgres-server.ts";
import { startRedisServer } from "./redis-server.ts";
import { compileCache } from "./server-process.ts";

/** A storage that is backed up and restored with the commands of the page on backups. */
export interface Restorable extends AsyncDisposable {
  /** A folder with the backups, which the page calls `/backup`. */
  readonly backups: string;
  openStore(): Promise<Store>;
  /** Backs it up while it is used. */
  backup(): Promise<void>;
  /** Destroys it. */
  lose(): Promise<void>;
  restore(environment?: Environment): Promise<void>;
  /** What the documented check says. */
  check(): Promise<Contents>;
  /** Runs commands with the variables of the server. Rejects if they fail. */
  run(commands: string, environment?: Environment): Promise<string>;
}

export interface Contents {
  /** Undefined if something is damaged. */
  readonly rows: number | undefined;
  /** The line about accounts, webhooks and deliveries. */
  readonly summary: string;
  readonly warnings: readonly string[];
}

export interface RestorableOptions {
  readonly secret: string;
  /** The files of the image, whose program is then the command `hookwright`, and its user. @default the build */
  readonly image?: { readonly folder: string; readonly user: string } | undefined;
}

type Environment = Readonly<Record<string, string>>;

interface Place extends Pick<Restorable, "openStore" | "lose"> {
  /** The heading on the page. */
  readonly section: string;
  readonly environment: Environment;
  /** Folders of the page, and where they are. */
  readonly folders: Environment;
  /** Starts it after it was restored. */
  start?(): Promise<void>;
  close(): Promise<void>;
}

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const execute = promisify(execFile);

const buildCommand = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;

/** In the image, paths begin in its root directory. */
function toImageCommand({ folder, user }: { readonly folder: string; readonly user: string }): string {
  return `#!/bin/bash
export HOOKWRIGHT_STORAGE="\${HOOKWRIGHT_STORAGE/'${folder}'}" HOME=/
exec chroot --userspec=${user} '${folder}' /usr/local/bin/node /app/dist/main.js "\${@//'${folder}'}"
`;
}

const kinds = {
  file: placeInDirectory,
  redis: () => placeInRedis(["--appendonly", "no"]),
  "redis-aof": () => placeInRedis(["--appendonly", "yes", "--appendfsync", "always"]),
  postgres: placeInPostgres,
};
export type RestorableName = keyof typeof kinds;

export async function openRestorable(
  name: RestorableName,
  { secret, image }: RestorableOptions,
): Promise<Restorable> {
  const root = await mkdtemp(path.join(image?.folder ?? tmpdir(), "hookwright-restore-"));
  const backups = path.join(root, "backup");
  await mkdir(backups);
  await mkdir(path.join(root, "bin"));
  const command = path.join(root, "bin/hookwright");
  await writeFile(command, image === undefined ? buildCommand : toImageCommand(image), { mode: 0o755 });
  const place = await kinds[name]({ root });
  const { backup, restore } = readProcedure(place.section);

  async function run(commands: string, environment: Environment = {}): Promise<string> {
    const folders = Object.entries({ ...place.folders, "/backup": backups });
    const text = folders.reduce((changed, [from, to]) => changed.replaceAll(from, to), commands);
    const env = {
      PATH: `${path.join(root, "bin")}:${process.env["PATH"] ?? ""}`,
      NODE_COMPILE_CACHE: compileCache,
      HOOKWRIGHT_SECRET: secret,
      ...place.environment,
      ...environment,
    };
    const { stdout, stderr } = await execute("bash", ["--norc", "-c", text], { cwd: root, env });
    return stdout + stderr;
  }

  return {
    backups,
    async openStore() {
      const store = await place.openStore();
      if (image !== undefined) await execute("chown", ["-R", image.user, root]);
      return store;
    },
    async backup() {
      await run(backup);
    },
    lose: () => place.lose(),
    async restore(environment) {
      await run(restore, environment);
      await place.start?.();
    },
    check: async () => readContents(await run(readCheck())),
    run,
    async [Symbol.asyncDispose]() {
      await place.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Reads what `check-storage` prints. */
export function readContents(output: string): Contents {
  const [, rows] = /^checked ([\d,]+) rows of .*: nothing is damaged\.$/mu.exec(output) ?? [];
  return {
    rows: rows === undefined ? undefined : Number(rows.replaceAll(",", "")),
    summary: /^accounts: .*$/mu.exec(output)?.[0] ?? output,
    warnings: output.split("\n").filter((line) => line.startsWith("warning: ")),
  };
}

async function placeInDirectory({ root }: { readonly root: string }): Promise<Place> {
  const directory = path.join(root, "data");
  return {
    section: "A data directory",
    environment: { HOOKWRIGHT_STORAGE: `file:${directory}` },
    folders: { "/var/lib/hookwright": directory },
    openStore: () => openFilesystemStore({ directory }),
    lose: () => truncate(path.join(directory, "store-1.mdb"), 4_096),
    close: async () => {},
  };
}

async function placeInRedis(settings: readonly string[]): Promise<Place> {
  // Redis waits for more replicas by default.
  const redis = await startRedisServer([...settings, "--repl-diskless-sync-delay", "0"]);
  redis.run("acl", "setuser", "saver", "on", ">saver", "+sync", "+psync", "+replconf");
  return {
    section: "Redis",
    environment: {
      HOOKWRIGHT_STORAGE: redis.url,
      REDIS_URL: redis.url.replace("//", "//saver:saver@"),
    },
    folders: { "/var/lib/redis": redis.directory },
    openStore: () => openRedisStore({ url: redis.url }),
    lose: () => redis.kill9(),
    start: () => redis.start(),
    close: async () => redis[Symbol.asyncDispose](),
  };
}

/** The role of the server does not own the schema. */
async function placeInPostgres(): Promise<Place> {
  const postgres = await startPostgresServer();
  const urlOf = (role: string): string =>
    postgres.url.replace(/\/\/.*@/u, `//${role}:secret@`).replace("/postgres", "/shop");
  await postgres.run("create role shop login password 'secret'");
  await postgres.run("create role hookwright login password 'secret'");
  await postgres.run("create database shop owner shop");
  const url = `${urlOf("hookwright")}?schema=hookwright`;
  const owner = urlOf("shop");
  await migratePostgresStore({ url: owner });
  await execute("psql", [owner, "--quiet", "--command", readRights()]);
  return {
    section: "PostgreSQL",
    environment: { HOOKWRIGHT_STORAGE: url, OWNER_URL: owner },
    folders: {},
    openStore: () => openPostgresStore({ url }),
    async lose() {
      await postgres.stop();
      await postgres.start();
      await execute("psql", [owner, "--quiet", "--command", "drop schema hookwright cascade"]);
    },
    close: async () => postgres[Symbol.asyncDispose](),
  };
}
