import { spawn, spawnSync } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client, Pool } from "pg";
import { findFreePort } from "./free-port.ts";
import { makeServiceFolder, startService, toReason, type Account, type Service } from "./service.ts";

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** With the superuser and the database `postgres`. */
  readonly url: string;
  /** Its data directory. */
  readonly directory: string;
  /** Sends SIGINT (fast) or SIGQUIT (immediate, as a crash), and waits for the exit. After SIGKILL, its children would outlive it. */
  stop(signal?: "SIGINT" | "SIGQUIT"): Promise<void>;
  /** Restarts it with the same port and data. */
  start(settings?: readonly string[]): Promise<void>;
  /** Signals the server, for example SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Runs SQL as the superuser and returns the rows. */
  run(sql: string): Promise<Record<string, unknown>[]>;
}

const programs = findPrograms();
const password = "hookwright";

const missing =
  "The suites on PostgreSQL need its server programs: apt-get install postgresql, brew install postgresql, or the like.";

/** Whether its suites run. With `CI=true` they run, and fail, if PostgreSQL is not installed. */
export const hasPostgresServer = programs !== undefined || process.env["CI"] === "true";
if (!hasPostgresServer) process.stderr.write(`${missing} They did not run.\n`);

/** Debian keeps the programs of each version in its own directory, which is not on the path. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const directories = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(":"),
  ];
  return directories.find((directory) => existsSync(join(directory, "initdb")));
}

/** `initdb`, `postgres` and `pgbouncer` refuse to run as root. */
export function findPostgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }));
    if (uid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid?.stdout) };
  }
  throw new Error("PostgreSQL does not run as root, and this machine has no user `postgres` or `nobody`.");
}

/** Starts a real server on a free port with an empty directory, and resolves when it accepts connections. */
export async function startPostgresServer(settings: readonly string[] = []): Promise<PostgresServer> {
  if (programs === undefined) throw new Error(missing);
  const account = findPostgresAccount();
  const root = await makeServiceFolder("hookwright-postgres-", account, { password });
  const directory = join(root, "data");
  const environment = { account, cwd: root, env: { ...process.env, LC_ALL: "C" } };
  let service: Service | undefined;
  let port = await findFreePort();

  async function start(more: readonly string[] = []): Promise<void> {
    const options = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      // A killed server loses nothing without it. Only a killed machine would.
      fsync: "off",
      logging_collector: "off",
      max_connections: 60,
    };
    const flags = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    service = await startService({
      name: "PostgreSQL",
      program: program("postgres"),
      args: ["-D", directory, ...flags, ...settings, ...more],
      ready: /ready to accept (?:read-only )?connections/u,
      lastSignal: "SIGQUIT",
      ...environment,
    });
  }

  const stop = async (signal: NodeJS.Signals = "SIGQUIT") => service?.end(signal);
  const url = () => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    await createDataDirectory(directory, { ...environment, ...account });
    for (let attemptsLeft = 5; ; attemptsLeft--) {
      try {
        await start();
        break;
      } catch (error) {
        // Another suite took the port after the check.
        if (attemptsLeft === 0 || !/Address already in use/u.test(String(error))) throw error;
        port = await findFreePort();
      }
    }
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    url: url(),
    directory,
    stop,
    start,
    signal: (signal) => service?.signal(signal),
    async run(sql) {
      const client = new Client(url());
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The directory is copied from that of an earlier server: `initdb` takes five times the CPU. */
async function createDataDirectory(directory: string, environment: SpawnOptions): Promise<void> {
  const version = spawnSync(program("initdb"), ["--version"], { encoding: "utf8" }).stdout.trim();
  const name = `${version} ${environment.uid ?? "own"}`.replaceAll(/[^\w.]+/gu, "-");
  const copied = fileURLToPath(new URL(`../../../../node_modules/.cache/postgres/${name}`, import.meta.url));
  if (existsSync(copied)) return runProgram("cp", ["-a", copied, directory], {});
  const rights = ["-U", "postgres", "-A", "scram-sha-256", "--pwfile", "password"];
  // The first segment of the log is copied too. By default it is as large as all tables.
  const small = ["--wal-segsize", "1", "--no-sync"];
  await runProgram(program("initdb"), ["-D", directory, ...rights, "-E", "UTF8", ...small], environment);
  const unfinished = `${copied}-${process.pid}`;
  await mkdir(dirname(copied), { recursive: true });
  await runProgram("cp", ["-a", directory, unfinished], {});
  // Another test process may have been faster.
  await rename(unfinished, copied).catch(() => rm(unfinished, { recursive: true, force: true }));
}

async function runProgram(path: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  const child = spawn(path, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const [[code], stderr] = await Promise.all([once(child, "close"), text(child.stderr)]);
  if (code !== 0) throw new Error(`PostgreSQL does not start: ${toReason(stderr)}`);
}

function program(name: string): string {
  return join(programs ?? "", name);
}

/** Opens a client of `pg`, for tests of packages that do not depend on it. */
export async function connectTo(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client(url);
  // A test may stop the server.
  client.on("error", () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Opens a pool of `pg`, for the same tests. */
export function openPool(url: string, max: number): Pool & AsyncDisposable {
  const pool = new Pool({ connectionString: url, max });
  // A test may stop the server.
  pool.on("error", () => {});
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
