import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, postgresAccount, type PostgresServer } from "./postgres-server.ts";

export interface PgBouncer extends AsyncDisposable {
  readonly url: string;
}

/** Whether PgBouncer is installed. It is optional, also with `CI=true`. */
export const hasPgBouncer = ((): boolean => {
  if (spawnSync(program(), ["--version"]).status === 0) return true;
  process.stderr.write("PgBouncer is not installed: nothing is tested with it.\n");
  return false;
})();

/** Debian keeps it off the path of users. */
function program(): string {
  return spawnSync("pgbouncer", ["--version"]).status === 0 ? "pgbouncer" : "/usr/sbin/pgbouncer";
}

/** Starts PgBouncer in front of a server, with at most `poolSize` connections to it. */
export async function startPgBouncer(
  server: PostgresServer,
  { mode, poolSize }: { readonly mode: "transaction" | "session"; readonly poolSize: number },
): Promise<PgBouncer> {
  const directory = await mkdtemp(join(tmpdir(), "hookwright-pgbouncer-"));
  const port = await findFreePort();
  const { username, password } = new URL(server.url);
  const users = join(directory, "users.txt");
  const settings = join(directory, "pgbouncer.ini");
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    settings,
    [
      "[databases]",
      `postgres = host=127.0.0.1 port=${server.port} dbname=postgres`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      "max_client_conn = 200",
      "ignore_startup_parameters = extra_float_digits",
      "",
    ].join("\n"),
  );
  for (const path of [directory, users, settings])
    if (postgresAccount.uid !== undefined) chownSync(path, postgresAccount.uid, postgresAccount.gid ?? 0);
  const child = spawn(program(), [settings], {
    ...postgresAccount,
    cwd: directory,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const kill = () => child.kill("SIGKILL");
  // A test process that ends early must stop it.
  process.once("exit", kill);
  const exited = once(child, "exit");
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`pgbouncer ended:\n${output}`)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes("process up")) resolve();
    });
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      kill();
      await exited;
      process.off("exit", kill);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
