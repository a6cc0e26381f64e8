import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { findFreePort } from "./free-port.ts";
import { findPostgresAccount, type PostgresServer } from "./postgres-server.ts";
import { makeServiceFolder, startService } from "./service.ts";

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
  const port = await findFreePort();
  const { username, password } = new URL(server.url);
  const account = findPostgresAccount();
  const directory = await makeServiceFolder("hookwright-pgbouncer-", account, {
    "users.txt": `"${username}" "${password}"\n`,
    "pgbouncer.ini": [
      "[databases]",
      `postgres = host=127.0.0.1 port=${server.port} dbname=postgres`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      "auth_file = users.txt",
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      "max_client_conn = 200",
      "ignore_startup_parameters = extra_float_digits",
      "",
    ].join("\n"),
  });
  const service = await startService({
    name: "PgBouncer",
    program: program(),
    args: ["pgbouncer.ini"],
    ready: /process up/u,
    account,
    cwd: directory,
  });
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await service.end("SIGKILL");
      await rm(directory, { recursive: true, force: true });
    },
  };
}
