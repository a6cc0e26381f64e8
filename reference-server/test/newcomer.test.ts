// A packed command line is installed, and servers are killed.
// @module-tag long

import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { verifySync } from "@hookwright/signature/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLocalHook } from "../../packages/cli/test/support/local-hook.ts";
import { publishOrders, until } from "./support/fleet.ts";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { installCli } from "./support/installed-cli.ts";
import type { InstalledCli, Row, RunningCommand } from "./support/installed-cli.ts";
import { hasPostgresServer, startPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

let cli: InstalledCli;
beforeAll(async () => {
  cli = await installCli();
}, 120_000);
afterAll(() => cli[Symbol.asyncDispose]());

const password = "correct horse battery";

const storages = [
  { name: "memory", exists: true, start: async () => ({ url: "memory", [Symbol.asyncDispose]: nothing }) },
  {
    name: "the filesystem",
    exists: true,
    start: async () => ({ url: "file:data", [Symbol.asyncDispose]: nothing }),
  },
  { name: "Redis", exists: hasRedisServer, start: startRedisServer },
  { name: "PostgreSQL", exists: hasPostgresServer, start: startPostgresServer },
];

async function nothing(): Promise<void> {}

function start(storage: string, options: { directory?: string; port?: string } = {}): Promise<ServerProcess> {
  const { directory, port } = options;
  return startServer({
    ...(directory === undefined ? {} : { directory }),
    env: {
      HOOKWRIGHT_STORAGE: storage,
      HOOKWRIGHT_SECRET: "a secret that all of these processes share",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_PRIVATE_TARGETS: "allow",
      HOOKWRIGHT_RETRY_DELAYS: "0.05",
      ...(port === undefined ? {} : { PORT: port }),
    },
  });
}

async function openAccount(server: ServerProcess): Promise<string> {
  const { apiKey } = await createAccount(server);
  await call(server, "/host/v1/accounts/acc_1", { method: "PUT", body: { password } });
  await call(server, "/host/v1/projects/site_0", {
    method: "PUT",
    body: { account_id: "acc_1", name: "Zero" },
  });
  return apiKey;
}

/** Waits for a row of a running command. Shows its output if none comes. */
async function rowOf(command: RunningCommand, isWanted: (row: Row) => boolean): Promise<Row> {
  const find = (): Row | undefined => command.rows().find(isWanted);
  await until(() => find() !== undefined).catch((error: unknown) => {
    throw new Error(`no such row in:\n${command.output()}`, { cause: error });
  });
  return find() ?? {};
}

function isDelivery(status: number): (row: Row) => boolean {
  return ({ type, response }) =>
    type === "delivery" && typeof response === "object" && Object(response).status === status;
}

describe("a newcomer who installs the packed command line", () => {
  it("gets no other package", () => {
    expect(cli.packages).toEqual(["@hookwright/cli"]);
  });

  describe.each(storages)("with a server on $name", ({ name, exists, start: startStorage }) => {
    it.runIf(exists)(
      "logs in, listens, triggers, breaks the handler, verifies, resends, recovers",
      { tags: name === "the filesystem" ? [] : ["long"], timeout: 120_000 },
      async () => {
        await using storage = await startStorage();
        await using server = await start(storage.url);
        await using hook = await openLocalHook();
        const apiKey = await openAccount(server);
        const home = await cli.openHome();
        const run = async (...commandLine: readonly string[]) => {
          const { code, stdout, stderr } = await home.run(commandLine, { HOOKWRIGHT_PASSWORD: password });
          return { code, stdout, stderr };
        };

        const login = await run("login", "--server", server.url, "--email", "one@example.com");
        expect(login).toMatchObject({ code: 0, stderr: "" });
        const { mode } = await stat(path.join(home.folder, "hookwright", "credentials.json"));
        expect((mode & 0o777).toString(8)).toBe("600");
        expect((await run("whoami")).stdout).toContain("one@example.com");

        const listen = home.start(["listen", "--forward", hook.url, "--json"]);
        const { id: listenerId } = await rowOf(listen, ({ type }) => type === "listening");
        const secret = (await run("listen", "--print-secret")).stdout.trim();
        expect((await run("trigger", "order.created", "--set", "total=10")).code).toBe(0);
        const accepted = await rowOf(listen, isDelivery(200));
        const [received] = hook.received;
        if (received === undefined) throw new Error("nothing was forwarded");
        const delivery = verifySync({ headers: received.headers, body: received.body, secrets: secret });
        expect(delivery).toMatchObject({ event: "order.created", data: { total: 10 } });

        hook.status = 500;
        expect((await run("trigger", "booking.created")).code).toBe(0);
        await rowOf(listen, isDelivery(500));

        const [headersFile, bodyFile] = [
          path.join(home.folder, "headers.json"),
          path.join(home.folder, "body.json"),
        ];
        const verify = ["verify", "--secret", secret, "--headers", headersFile, "--body", bodyFile];
        await writeFile(headersFile, JSON.stringify(accepted["headers"]));
        await writeFile(bodyFile, String(accepted["body"]));
        expect((await run(...verify)).code).toBe(0);
        await writeFile(bodyFile, JSON.stringify(JSON.parse(String(accepted["body"])), null, 2));
        const broken = await run(...verify);
        expect(broken.code).toBe(1);
        expect(broken.stdout + broken.stderr).toContain("serialised");

        const { id } = await call(server, "/v1/webhooks", {
          method: "POST",
          token: apiKey,
          body: { event: "order.created", target_url: hook.url.replace("/hook", "/webhook") },
        });
        const webhookId = String(id);
        const hooked = (): number => hook.received.filter((request) => request.path === "/webhook").length;
        await publishOrders([server], { last: 3, sites: 1 });
        const failed = async (): Promise<readonly Row[]> =>
          JSON.parse((await run("deliveries", "--failed", "--json")).stdout);
        await expect.poll(failed, { interval: 200 }).toHaveLength(3);
        const [first = {}] = await failed();
        const shown = await run("delivery", String(first["id"]));
        expect(shown).toMatchObject({ code: 0, stderr: "" });
        expect(shown.stdout).toContain("500");

        hook.status = 200;
        const before = hooked();
        expect((await run("resend", String(first["id"]))).code).toBe(0);
        expect(hooked()).toBe(before + 1);
        const recovered = await run("recover", webhookId, "--since", "1h", "--json");
        expect(recovered.code).toBe(0);
        expect(JSON.parse(recovered.stdout)).toMatchObject({ status: "finished", found: 2, resent: 2 });
        await expect.poll(hooked).toBe(before + 3);

        listen.signal("SIGINT");
        expect((await listen.exited).code).toBe(0);
        const gone = await fetch(`${server.url}/developer/v1/listeners/${String(listenerId)}/events`, {
          headers: { authorization: `Bearer ${apiKey}` },
        });
        expect(gone.status).toBe(404);
        await gone.arrayBuffer();
        expect((await run("logout")).code).toBe(0);
        expect((await run("whoami", "--server", server.url)).code).toBe(3);
      },
    );
  });

  it("listens across a kill -9 of the server and misses nothing", async () => {
    await using hook = await openLocalHook();
    await using first = await start("file:data");
    const apiKey = await openAccount(first);
    const home = await cli.openHome();
    const environment = { HOOKWRIGHT_SERVER: first.url, HOOKWRIGHT_API_KEY: apiKey };
    const listen = home.start(["listen", "--forward", hook.url, "--json"], environment);
    await rowOf(listen, ({ type }) => type === "listening");
    const secrets = (await home.run(["listen", "--print-secret"], environment)).stdout.trim();
    await publishOrders([first], { last: 20, sites: 1 });
    await until(() => hook.received.length > 0);
    await first.kill9();
    const { port } = new URL(first.url);
    await using second = await start("file:data", { directory: first.directory, port });
    await publishOrders([second], { first: 20, last: 40, sites: 1 });
    const idsOf = (): ReadonlySet<string> =>
      new Set(hook.received.map(({ headers, body }) => verifySync({ headers, body, secrets }).id));
    await until(() => idsOf().size === 40);
    listen.signal("SIGINT");
    expect((await listen.exited).code).toBe(0);
    expect(listen.rows().filter(({ type }) => type === "listening")).toHaveLength(1);
  });
});
