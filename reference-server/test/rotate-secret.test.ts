import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { openRedisStore } from "@hookwright/storage/redis";
import { describe, expect, it } from "vitest";
import { until } from "./support/fleet.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { createRotatingFleet } from "./support/rotating-fleet.ts";
import type { RotatingFleet } from "./support/rotating-fleet.ts";
import { runToEnd, spawnServer } from "./support/server-process.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { startVerifyingReceiver } from "./support/verifying-receiver.ts";
import type { VerifyingReceiver } from "./support/verifying-receiver.ts";

const oldSecret = "the old secret of these tests, 32 and more";
const newSecret = "the new secret of these tests, 32 and more";
const both = { HOOKWRIGHT_SECRET: newSecret, HOOKWRIGHT_SECRET_PREVIOUS: oldSecret };

/** Kills the command as soon as the store is written with the new secret. */
async function killInTheMiddle(store: Store, env: Readonly<Record<string, string>>): Promise<void> {
  await using command = await spawnServer({ args: ["rotate-secret"], env });
  await until(async () => (await store.get(["p00", "server-secret-check"]))?.includes("previous") === true);
  await command.kill9();
}

async function expectNothingLost(
  fleet: Pick<RotatingFleet, "owed">,
  receiver: VerifyingReceiver,
): Promise<void> {
  await until(() => [...fleet.owed].every((id) => receiver.accepted.has(id)), 60_000);
  expect(receiver.invalid).toEqual([]);
}

describe("a rotation of the server secret under load", { tags: ["long"] }, () => {
  it.runIf(hasRedisServer)(
    "loses nothing and signs nothing wrongly on Redis, although the command is killed once",
    { timeout: 180_000 },
    async () => {
      await using redis = await startRedisServer();
      await using store = await openRedisStore({ url: redis.url });
      await using receiver = await startVerifyingReceiver();
      await using fleet = createRotatingFleet({ storage: redis.url, receiver });
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
      const directory = join(await makeFolder(), "data");
      await using receiver = await startVerifyingReceiver();
      await using fleet = createRotatingFleet({ storage: `file:${directory}`, receiver });
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
      await using fleet = createRotatingFleet({ storage: redis.url, receiver });
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
    const refused = await runCommand(["rotate-secret", "--storage", url], secrets);
    expect(refused).toMatchObject({ code: 2, complained: expect.stringContaining(message) });
  });
});
