import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openRedisStore } from "@hookwright/storage/redis";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { runCli } from "../src/cli.ts";
import { until } from "./support/fleet.ts";
import { call, hostToken } from "./support/host-api.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { runToEnd, spawnServer, startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { createTestProgram } from "./support/test-program.ts";
import { startVerifyingReceiver } from "./support/verifying-receiver.ts";
import type { VerifyingReceiver } from "./support/verifying-receiver.ts";

const oldSecret = "the old secret of these tests, 32 and more";
const newSecret = "the new secret of these tests, 32 and more";
const both = { HOOKWRIGHT_SECRET: newSecret, HOOKWRIGHT_SECRET_PREVIOUS: oldSecret };
const accounts = 12;
const eventsInCall = 12;
const password = "correct horse battery staple";

type Variables = Readonly<Record<string, string>>;

/** Servers that are replaced one after the other, and a host that publishes to those that run. */
function createFleet({
  storage,
  receiver,
}: {
  readonly storage: string;
  readonly receiver: VerifyingReceiver;
}) {
  const running: ServerProcess[] = [];
  const owed = new Set<string>();
  const apiKeys: string[] = [];
  let isPublishing = true;
  let published = 0;
  let webhooks = 0;

  const environment = (secrets: Variables): Variables => ({
    HOOKWRIGHT_STORAGE: storage,
    HOOKWRIGHT_HOST_TOKEN: hostToken,
    HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    HOOKWRIGHT_RETRY_DELAYS: "0.5,0.5,1,2,4",
    ...secrets,
  });

  async function start(secrets: Variables): Promise<void> {
    running.push(await startServer({ env: environment(secrets) }));
  }

  async function publishOnce(server: ServerProcess): Promise<void> {
    const events = Array.from({ length: eventsInCall }, (_, index) => {
      const number = (published += 1);
      const data = createDemoOrder({ id: `ord_${number}`, number: String(number), createdAt: Date.now() });
      return { event: "order.created", project_id: `site_${index % accounts}`, data };
    });
    const response = await fetch(`${server.url}/host/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    if (!response.ok) return void (await response.arrayBuffer());
    const { data }: { data: { deliveries: string[] }[] } = await response.json();
    for (const { deliveries } of data) for (const id of deliveries) owed.add(id);
  }

  return {
    running,
    owed,
    environment,
    start,
    get server(): ServerProcess {
      const [first] = running;
      if (first === undefined) throw new Error("no server runs");
      return first;
    },

    async restartAll(secrets: Variables): Promise<void> {
      const before = [...running];
      for (const server of before) {
        // The others serve meanwhile.
        running.splice(running.indexOf(server), 1);
        await server.stop();
        await start(secrets);
      }
    },

    async createAccounts(): Promise<void> {
      const { server } = this;
      for (let index = 0; index < accounts; index++) {
        const id = `acc_${index}`;
        const account = { email: `owner-${index}@example.com`, ...(index === 0 && { password }) };
        await call(server, `/host/v1/accounts/${id}`, { method: "PUT", body: account });
        for (const site of [`site_${index}`, `site_more_${index}`])
          await call(server, `/host/v1/projects/${site}`, {
            method: "PUT",
            body: { account_id: id, name: site },
          });
        const key = await call(server, `/host/v1/accounts/${id}/api-keys`, {
          method: "POST",
          body: { name: "K" },
        });
        apiKeys.push(String(key["api_key"]));
      }
    },

    /** Creates a webhook for every account. */
    async createWebhooks(server: ServerProcess): Promise<void> {
      for (const token of apiKeys) {
        const path = `/${(webhooks += 1)}`;
        const body = { event: "order.created", target_url: receiver.url + path };
        const webhook = await call(server, "/v1/webhooks", { method: "POST", token, body });
        receiver.secrets.set(path, String(webhook["signing_secret"]));
      }
    },

    async publish(): Promise<void> {
      for (let turn = 0; isPublishing; turn++) {
        const server = running[turn % Math.max(1, running.length)];
        // A server that is stopped breaks the connection. Those events are not acknowledged.
        if (server !== undefined) await publishOnce(server).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },

    endPublishing: () => void (isPublishing = false),

    async isSignInAccepted(server: ServerProcess): Promise<boolean> {
      const session = { email: "owner-0@example.com", password };
      const created = await call(server, "/console/api/session", { method: "POST", body: session });
      return typeof created["token"] === "string";
    },

    async readPage(server: ServerProcess, cursor?: string) {
      const query = cursor === undefined ? "" : `&cursor=${cursor}`;
      const response = await fetch(`${server.url}/v1/projects?limit=1${query}`, {
        headers: { authorization: `Bearer ${apiKeys[0]}` },
      });
      const body: { meta?: { next_cursor: string | null } } = await response.json();
      return { status: response.status, next: body.meta?.next_cursor ?? "" };
    },

    async [Symbol.asyncDispose]() {
      isPublishing = false;
      await Promise.all(running.map((server) => server.kill9()));
    },
  };
}

/** Kills the command as soon as the store is written with the new secret. */
async function killInTheMiddle(store: Store, env: Variables): Promise<void> {
  await using command = await spawnServer({ args: ["rotate-secret"], env });
  await until(async () => (await store.get(["p00", "server-secret-check"]))?.includes("previous") === true);
  await command.kill9();
}

async function expectNothingLost(
  fleet: Pick<ReturnType<typeof createFleet>, "owed">,
  receiver: VerifyingReceiver,
): Promise<void> {
  await until(() => [...fleet.owed].every((id) => receiver.accepted.has(id)), 60_000);
  expect(receiver.invalid).toEqual([]);
}

describe("a rotation of the server secret under load", () => {
  it.runIf(hasRedisServer)(
    "loses nothing and signs nothing wrongly on Redis, although the command is killed once",
    { timeout: 180_000 },
    async () => {
      await using redis = await startRedisServer();
      await using store = await openRedisStore({ url: redis.url });
      await using receiver = await startVerifyingReceiver();
      await using fleet = createFleet({ storage: redis.url, receiver });
      await fleet.start({ HOOKWRIGHT_SECRET: oldSecret });
      await fleet.start({ HOOKWRIGHT_SECRET: oldSecret });
      await fleet.createAccounts();
      await fleet.createWebhooks(fleet.server);
      const publishing = fleet.publish();
      const { next: firstCursor } = await fleet.readPage(fleet.server);

      await fleet.restartAll(both);
      await fleet.createWebhooks(fleet.server);
      expect((await fleet.readPage(fleet.server, firstCursor)).status).toBe(200);

      await killInTheMiddle(store, fleet.environment(both));
      await fleet.createWebhooks(fleet.server);
      const rotated = await runToEnd({ args: ["rotate-secret"], env: fleet.environment(both) });
      expect(rotated).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("rotated the server secret"),
      });
      expect((await fleet.readPage(fleet.server, firstCursor)).status).toBe(200);
      const { next: lastCursor } = await fleet.readPage(fleet.server);

      await fleet.restartAll({ HOOKWRIGHT_SECRET: newSecret });
      await fleet.createWebhooks(fleet.server);
      expect((await fleet.readPage(fleet.server, lastCursor)).status).toBe(200);
      expect(await fleet.isSignInAccepted(fleet.server)).toBe(true);

      fleet.endPublishing();
      await publishing;
      await expectNothingLost(fleet, receiver);
      const late = await runToEnd({ env: fleet.environment({ HOOKWRIGHT_SECRET: oldSecret }) });
      expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("is not the server secret") });
      console.log(
        `rotation on Redis: ${fleet.owed.size} deliveries, 0 lost, ${receiver.invalid.length} invalid signatures`,
      );
    },
  );

  it(
    "loses nothing and signs nothing wrongly with the file of a data directory",
    { timeout: 180_000 },
    async () => {
      const root = await mkdtemp(join(tmpdir(), "hookwright-rotate-"));
      onTestFinished(() => rm(root, { recursive: true, force: true }));
      const directory = join(root, "data");
      await using receiver = await startVerifyingReceiver();
      await using fleet = createFleet({ storage: `file:${directory}`, receiver });
      const rotate = () => runToEnd({ args: ["rotate-secret"], env: fleet.environment({}) });
      await fleet.start({});
      await fleet.createAccounts();
      await fleet.createWebhooks(fleet.server);
      const publishing = fleet.publish();
      const original = await readFile(join(directory, "secret"), "utf8");

      expect(await rotate()).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("run this command again"),
      });
      expect(await readFile(join(directory, "secret.previous"), "utf8")).toBe(original);
      expect(await readFile(join(directory, "secret"), "utf8")).not.toBe(original);
      await fleet.createWebhooks(fleet.server);
      await fleet.restartAll({});
      await fleet.createWebhooks(fleet.server);
      {
        await using store = await openFilesystemStore({ directory });
        await killInTheMiddle(store, fleet.environment({}));
      }
      expect(await rotate()).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("rotated the server secret"),
      });
      expect(await readdir(directory)).not.toContain("secret.previous");
      await fleet.createWebhooks(fleet.server);
      await fleet.restartAll({});
      expect(await fleet.isSignInAccepted(fleet.server)).toBe(true);

      fleet.endPublishing();
      await publishing;
      await expectNothingLost(fleet, receiver);
    },
  );
});

describe.runIf(hasRedisServer)("a server that knows only the old secret after a rotation", () => {
  it(
    "sends nothing, says why, and its deliveries are sent after a restart",
    { timeout: 60_000 },
    async () => {
      await using redis = await startRedisServer();
      await using receiver = await startVerifyingReceiver();
      await using fleet = createFleet({ storage: redis.url, receiver });
      await fleet.start({ HOOKWRIGHT_SECRET: oldSecret });
      await fleet.createAccounts();
      await fleet.createWebhooks(fleet.server);
      expect(await runToEnd({ args: ["rotate-secret"], env: fleet.environment(both) })).toMatchObject({
        code: 0,
      });
      const publishing = fleet.publish();
      await fleet.server.waitFor(/"code":"secret_unreadable"/u);
      await until(() => fleet.owed.size > 0);
      expect(receiver.accepted.size).toBe(0);
      await fleet.restartAll({ HOOKWRIGHT_SECRET: newSecret });
      fleet.endPublishing();
      await publishing;
      await expectNothingLost(fleet, receiver);
    },
  );
});

describe("rotate-secret", () => {
  const url = "redis://127.0.0.1:1";
  it.each([
    [{}, "HOOKWRIGHT_SECRET is missing: set it to the new secret."],
    [
      { HOOKWRIGHT_SECRET: newSecret },
      "HOOKWRIGHT_SECRET_PREVIOUS is missing: set it to the present secret.",
    ],
    [
      { HOOKWRIGHT_SECRET: newSecret, HOOKWRIGHT_SECRET_PREVIOUS: newSecret },
      "HOOKWRIGHT_SECRET and HOOKWRIGHT_SECRET_PREVIOUS are equal: the first must be the new secret.",
    ],
  ])("is refused with exit code 2 if %j", async (secrets, message) => {
    const program = createTestProgram({
      commandLine: ["rotate-secret", "--storage", url],
      environment: secrets,
    });
    expect(await runCli(program)).toBe(2);
    expect(program.complained.join("\n")).toContain(message);
  });
});
