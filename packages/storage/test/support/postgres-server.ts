import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Pool } from "pg";

export interface PostgresServer extends AsyncDisposable {
  readonly port: number;
  /** With the superuser and the database `postgres`. */
  readonly url: string;
  /** Its data directory. */
  readonly directory: string;
  /** Sends SIGINT (fast), SIGQUIT (immediate, as a crash) or SIGKILL, and waits for the exit. */
  stop(signal?: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Restarts it with the same port and data. */
  start(settings?: readonly string[]): Promise<void>;
  /** Signals the server, for example SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Runs SQL as the superuser and returns the rows. */
  run(sql: string): Promise<Record<string, unknown>[]>;
}

const programs = findPrograms();
const password = "hookwright";

/** Whether PostgreSQL is installed. With `CI=true` a missing one is an error. */
export const hasPostgresServer = ((): boolean => {
  if (programs !== undefined) return true;
  const line =
    "The suites on PostgreSQL need its server programs: apt-get install postgresql, brew install postgresql, or the like.";
  if (process.env["CI"] === "true") throw new Error(line);
  process.stderr.write(`${line} They did not run.\n`);
  return false;
})();

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

const running = new Set<ChildProcess>();
// A test process that ends early must stop its servers.
process.once("exit", () => {
  for (const child of running) child.kill("SIGQUIT");
});

/** `initdb`, `postgres` and `pgbouncer` refuse to run as root. */
export const postgresAccount = ((): { readonly uid?: number; readonly gid?: number } => {
  if (programs === undefined || process.getuid?.() !== 0) return {};
  const numberOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: numberOf("-u"), gid: numberOf("-g") };
})();

/** Starts a real server on a free port with an empty directory, and resolves when it accepts connections. */
export async function startPostgresServer(settings: readonly string[] = []): Promise<PostgresServer> {
  const root = await mkdtemp(join(tmpdir(), "hookwright-postgres-"));
  const directory = join(root, "data");
  const passwordFile = join(root, "password");
  await writeFile(passwordFile, password);
  for (const path of [root, passwordFile])
    if (postgresAccount.uid !== undefined) chownSync(path, postgresAccount.uid, postgresAccount.gid ?? 0);
  let child: ChildProcess | undefined;
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
    const started = spawn(program("postgres"), ["-D", directory, ...flags, ...settings, ...more], {
      ...postgresAccount,
      cwd: root,
      env: { ...process.env, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child = started;
    running.add(started);
    started.once("exit", () => running.delete(started));
    await new Promise<void>((resolve, reject) => {
      let output = "";
      started.once("error", reject);
      started.once("exit", () => reject(new Error(`postgres ended:\n${output}`)));
      started.stderr?.setEncoding("utf8").on("data", (text: string) => {
        if (output.length < 10_000) output += text;
        if (/ready to accept (?:read-only )?connections/u.test(output)) resolve();
      });
    });
  }

  async function stop(signal: NodeJS.Signals = "SIGQUIT"): Promise<void> {
    const stopped = child;
    if (stopped === undefined || !running.has(stopped)) return;
    const exited = once(stopped, "exit");
    stopped.kill("SIGCONT");
    stopped.kill(signal);
    await exited;
  }

  const url = () => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  try {
    execFileSync(
      program("initdb"),
      [
        "-D",
        directory,
        "-U",
        "postgres",
        "-A",
        "scram-sha-256",
        "--pwfile",
        passwordFile,
        "-E",
        "UTF8",
        "--no-sync",
      ],
      {
        ...postgresAccount,
        cwd: root,
        env: { ...process.env, LC_ALL: "C" },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
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
    signal: (signal) => void child?.kill(signal),
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

function program(name: string): string {
  return join(programs ?? "", name);
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
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
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
