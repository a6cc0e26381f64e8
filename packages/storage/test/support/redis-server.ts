import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { makeServiceFolder, startService, type Service } from "./service.ts";

export interface RedisServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Its data directory. */
  readonly directory: string;
  /** The arguments with which redis-cli connects. */
  readonly commandOptions: readonly string[];
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGKILL and waits for the exit. */
  kill9(): Promise<void>;
  /** Restarts it with the same port and data. */
  start(): Promise<void>;
  /** Runs one command with redis-cli and returns its output. */
  run(...command: string[]): string;
}

/** `REDIS_SERVER=valkey-server` runs all suites on Valkey. */
export const redisProgram = process.env["REDIS_SERVER"] ?? "redis-server";
const isOnPath = (name: string): boolean => spawnSync(name, ["--version"]).status === 0;

const isInstalled = isOnPath(redisProgram);
const missing = `The suites on Redis need ${redisProgram} on the path: apt-get install redis-server, brew install redis, or the like.`;

/** Whether its suites run. With `CI=true` they run, and fail, if redis-server is not installed. */
export const hasRedisServer = isInstalled || process.env["CI"] === "true";
if (!hasRedisServer) process.stderr.write(`${missing} They did not run.\n`);

/** The contract runs on each installed server. Not every distribution has Valkey. */
export const serversOnPath = [...new Set([redisProgram, "valkey-server"])].filter(isOnPath);

/** Returns how often the server has received a command since its start. */
export function callsOf(server: RedisServer, command: string): number {
  const stats = server.run("info", "commandstats");
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`, "u").exec(stats)?.[1] ?? 0);
}

/** The certificate and key of a server, as PEM. */
export interface ServerIdentity {
  readonly authority: string;
  readonly cert: string;
  readonly key: string;
}

/**
 * Starts a real server on a free port with an empty directory, and resolves when it replies.
 *
 * @param options.tls disables plain TCP
 */
export async function startRedisServer(
  settings: readonly string[] = [],
  options: RedisServerOptions = {},
): Promise<RedisServer> {
  if (!isInstalled) throw new Error(missing);
  for (let triesLeft = 5; ; triesLeft--) {
    const port = await findFreePort();
    try {
      return await startOn(port, settings, options);
    } catch (error) {
      // Another suite took the port after the check.
      if (triesLeft === 0 || !/Address already in use/u.test(String(error))) throw error;
    }
  }
}

interface RedisServerOptions {
  readonly program?: string;
  readonly tls?: ServerIdentity;
}

async function startOn(
  port: number,
  settings: readonly string[],
  { program = redisProgram, tls }: RedisServerOptions,
): Promise<RedisServer> {
  const directory = await makeServiceFolder("hookwright-redis-");
  const secured = tls === undefined ? undefined : await writeIdentity(tls, directory);
  const listening = secured === undefined ? ["--port", String(port)] : secured.serverOptions(port);
  const commandOptions = ["-p", String(port), ...(secured?.clientOptions ?? [])];
  let service: Service | undefined;

  async function start(): Promise<void> {
    if (service?.isRunning() === true) throw new Error(`this ${program} is already running`);
    service = await startService({
      name: "Redis",
      program,
      args: [...listening, "--bind", "127.0.0.1", "--dir", directory, "--save", "", ...settings],
      ready: /Ready to accept connections/u,
    });
  }

  const kill9 = async () => service?.end("SIGKILL");

  try {
    await start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  return {
    port,
    url: `${tls === undefined ? "redis" : "rediss"}://127.0.0.1:${port}`,
    directory,
    commandOptions,
    signal: (signal) => service?.signal(signal),
    kill9,
    start,
    run: (...command) => spawnSync("redis-cli", [...commandOptions, ...command], { encoding: "utf8" }).stdout,
    async [Symbol.asyncDispose]() {
      await kill9();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function writeIdentity(tls: ServerIdentity, directory: string) {
  const [authority, cert, key] = await Promise.all(
    [tls.authority, tls.cert, tls.key].map(async (text, index) => {
      const path = join(directory, ["authority.pem", "certificate.pem", "key.pem"][index] ?? "");
      await writeFile(path, text);
      return path;
    }),
  );
  const trust = ["--tls-ca-cert-file", authority ?? "", "--tls-auth-clients", "no"];
  const shown = ["--tls-cert-file", cert ?? "", "--tls-key-file", key ?? ""];
  return {
    serverOptions: (port: number) => ["--port", "0", "--tls-port", String(port), ...trust, ...shown],
    // A client certificate is harmless if the server does not require one.
    clientOptions: ["--tls", "--cacert", authority ?? "", "--cert", cert ?? "", "--key", key ?? ""],
  };
}

/** Below the limit for the Cluster bus, which uses the port plus 10,000. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await isFree(port)) && (await isFree(port + 10_000))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
