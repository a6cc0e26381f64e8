import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "@hookwright/storage";
import { openPostgresStore } from "@hookwright/storage/postgres";
import { findFreePort } from "./support/free-port.ts";
import {
  connectTo,
  findPostgresAccount,
  hasPostgresServer,
  startPostgresServer,
  type PostgresServer,
} from "./support/postgres-server.ts";

const key = ["p05", "a"] as const;
const user = "postgres:hookwright";

async function use(store: Store): Promise<string | undefined> {
  await store.commit("p05", { mutations: [{ type: "set", key, value: "1" }] });
  return store.get(key);
}

/** Makes the server listen on a Unix socket and with TLS, by a certificate of an authority of its own. */
async function prepare(
  server: PostgresServer,
): Promise<{ readonly authority: string; readonly sockets: string }> {
  const { directory } = server;
  const certificate = join(directory, "server.crt");
  const serverKey = join(directory, "server.key");
  const options =
    "req -new -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=db.internal -addext subjectAltName=DNS:localhost";
  execFileSync("openssl", [...options.split(" "), "-keyout", serverKey, "-out", certificate], {
    stdio: "ignore",
  });
  const authority = join(directory, "..", "authority.pem");
  await copyFile(certificate, authority);
  const sockets = join(directory, "..", "cloudsql", "project:region:instance");
  mkdirSync(sockets, { recursive: true });
  await chmod(serverKey, 0o600);
  const { uid, gid = 0 } = findPostgresAccount();
  if (uid !== undefined) for (const path of [serverKey, certificate, sockets]) chownSync(path, uid, gid);
  await server.stop("SIGINT");
  await server.start(["-c", "ssl=on", "-c", `unix_socket_directories=${sockets}`]);
  return { authority: encodeURIComponent(authority), sockets };
}

describe.runIf(hasPostgresServer)("an address of a hosted PostgreSQL", () => {
  let server: PostgresServer;
  let standby: PostgresServer;
  let places: Awaited<ReturnType<typeof prepare>>;
  let deadPort: number;
  beforeAll(async () => {
    [server, standby, deadPort] = await Promise.all([
      startPostgresServer(),
      startPostgresServer(["-c", "default_transaction_read_only=on"]),
      findFreePort(),
    ]);
    places = await prepare(server);
  });
  afterAll(() => Promise.all([server[Symbol.asyncDispose](), standby[Symbol.asyncDispose]()]));

  it.each([
    () => `postgres://${user}@/postgres?host=${places.sockets}&port=${server.port}`,
    () => `postgres://${user}@:${server.port}/postgres?host=${places.sockets}&sslmode=require`,
    () => `postgres://${user}@${encodeURIComponent(places.sockets)}:${server.port}/postgres?schema=encoded`,
    () => `postgres:///postgres?host=${places.sockets}&port=${server.port}&user=postgres&password=hookwright`,
  ])("may name the directory of a Unix socket: %s", async (url) => {
    await using store = await openPostgresStore({ url: url() });
    expect(await use(store)).toBe("1");
  });

  it.each(["require", "verify-ca", "verify-full", "prefer"])(
    "with sslmode=%s checks the certificate, and the error names the ways out",
    async (mode) => {
      const warnings: unknown[] = [];
      const note = (warning: unknown): void => void warnings.push(warning);
      process.on("warning", note);
      const url = `postgres://${user}@localhost:${server.port}/postgres?sslmode=${mode}`;
      await expect(openPostgresStore({ url })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/self-signed.*sslrootcert=FILE.*sslmode=no-verify/su),
      });
      await using store = await openPostgresStore({ url: `${url}&sslrootcert=${places.authority}` });
      expect(await use(store)).toBe("1");
      process.off("warning", note);
      expect(warnings).toEqual([]);
      const [{ count } = {}] = await server.run("select count(*) from pg_stat_ssl where ssl");
      expect(Number(count)).toBeGreaterThan(0);
    },
  );

  it("says what to do if the certificate has another name, the file is missing, or TLS is off", async () => {
    const open = (host: string, parameters: string, port = server.port): Promise<Store> =>
      openPostgresStore({ url: `postgres://${user}@${host}:${port}/postgres?${parameters}` });
    const trusted = `sslmode=require&sslrootcert=${places.authority}`;
    await expect(open("127.0.0.1", trusted)).rejects.toThrow(/uselibpqcompat=true&sslmode=verify-ca/u);
    await expect(open("localhost", `${trusted}.missing`)).rejects.toThrow(
      /Check the files that sslrootcert/u,
    );
    await expect(open("localhost", "sslmode=require", standby.port)).rejects.toThrow(/sslmode=disable/u);
    await using unchecked = await open("127.0.0.1", "sslmode=no-verify");
    await using compatible = await open(
      "127.0.0.1",
      `uselibpqcompat=true&sslmode=verify-ca&sslrootcert=${places.authority}`,
    );
    for (const store of [unchecked, compatible]) expect(await use(store)).toBe("1");
  });

  it.each([
    () =>
      `postgres://${user}@127.0.0.1:${deadPort},127.0.0.1:${standby.port},127.0.0.1:${server.port}/postgres`,
    () =>
      `postgres://${user}@127.0.0.1:${standby.port},127.0.0.1:${server.port}/postgres?target_session_attrs=primary`,
    () =>
      `postgres://${user}@/postgres?host=127.0.0.1,localhost&port=${deadPort},${server.port}&target_session_attrs=read-write`,
  ])("may name several hosts, and the first that takes writes is used: %s", async (url) => {
    await using store = await openPostgresStore({ url: url(), schema: "several" });
    expect(await use(store)).toBe("1");
  });

  it("with several hosts follows a failover", async () => {
    await using first = await startPostgresServer();
    const url = `postgres://${user}@127.0.0.1:${first.port},127.0.0.1:${server.port}/postgres?schema=failover`;
    await using onSecond = await openPostgresStore({ url: `${server.url}?schema=failover` });
    await using store = await openPostgresStore({ url });
    expect(await use(store)).toBe("1");
    expect(await onSecond.get(key)).toBeUndefined();
    await first.stop("SIGQUIT");
    await expect.poll(() => use(store).catch(() => undefined)).toBe("1");
    expect(await onSecond.get(key)).toBe("1");
  });

  it("with several hosts of which none takes writes says so", async () => {
    const url = `postgres://${user}@127.0.0.1:${standby.port},localhost:${standby.port}/postgres`;
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "unavailable",
      reason: "read_only_replica",
      message: expect.stringMatching(/none of its hosts takes writes.*target_session_attrs=any/u),
    });
  });

  it("is given with the size of the pool", async () => {
    const url = `${server.url}?application_name=sized`;
    await using store = await openPostgresStore({ url, poolSize: 4 });
    await using client = await connectTo(server.url);
    await client.query("begin");
    await client.query("lock table hookwright.rows");
    const reading: Promise<unknown>[] = [];
    // Reads of one iteration of the event loop share a statement.
    for (const count of [1, 2, 3, 4, 5, 6, 7, 8]) {
      reading.push(store.get(["p05", count]));
      await setImmediate();
    }
    const connections = async (): Promise<number> => {
      const [{ count } = {}] = await server.run(
        "select count(*) from pg_stat_activity where application_name = 'sized'",
      );
      return Number(count);
    };
    await expect.poll(connections).toBe(4);
    await client.query("commit");
    await Promise.all(reading);
    expect(await connections()).toBe(4);
    for (const poolSize of [2, 3.5, Number.NaN])
      await expect(openPostgresStore({ url, poolSize })).rejects.toMatchObject({
        code: "invalid_argument",
        message: expect.stringContaining("poolSize must be a whole number of at least 3"),
      });
  });
});
