// Each command of the page is run on real storage.
// @module-tag long

import { readdir, rename } from "node:fs/promises";
import path from "node:path";
import { checkStore, createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { fillStore } from "./support/filled-store.ts";
import { hasPostgresServer } from "./support/postgres-server.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { openRestorable } from "./support/restorable.ts";
import type { Restorable } from "./support/restorable.ts";
import { runToEnd, startServer } from "./support/server-process.ts";

const secret = "a secret of these tests, 32 and more";

/** Backs it up while it is used, and changes it afterwards. Returns what the backup has. */
async function fillAndBackUp(place: Restorable) {
  await using store = await place.openStore();
  await fillStore(store, { secret });
  const { rows, lastWrittenAt = 0 } = await checkStore({ store, secrets: { secret }, onDamage: () => {} });
  await place.backup();
  await using hookwright = await createHookwright({ store, secret, role: "api" });
  await hookwright.accounts.put("acc_late", { email: "late@example.com" });
  const lastWritten = new Date(lastWrittenAt).toISOString();
  return {
    rows,
    summary: `accounts: 1, webhooks: 2, pending deliveries: 13, last written: ${lastWritten}`,
    warnings: [],
  };
}

/** A restore that finds no backup changes nothing, and can be run again. */
async function restoreWithout(place: Restorable, name: string): Promise<void> {
  const backup = path.join(place.backups, name);
  const before = await place.check();
  await rename(backup, `${backup}.moved`);
  await expect(place.restore()).rejects.toThrow("No such file or directory");
  await rename(`${backup}.moved`, backup);
  expect(await place.check()).toEqual(before);
}

describe.concurrent("the commands of the page on backups restore", { timeout: 120_000 }, () => {
  it("a data directory", async () => {
    await using place = await openRestorable("file", { secret });
    const saved = await fillAndBackUp(place);
    await restoreWithout(place, "monday");
    await place.lose();
    await place.restore();
    expect(await place.check()).toEqual(saved);
  });

  it.runIf(hasRedisServer).each(["redis", "redis-aof"] as const)("%s", async (name) => {
    await using place = await openRestorable(name, { secret });
    const saved = await fillAndBackUp(place);
    await restoreWithout(place, "monday.rdb");
    await place.lose();
    await place.restore();
    expect(await place.check()).toEqual(saved);
  });

  it.runIf(hasPostgresServer)("PostgreSQL, and a backup or restore that fails changes nothing", async () => {
    await using place = await openRestorable("postgres", { secret });
    const saved = await fillAndBackUp(place);
    await place.run(
      `psql "$OWNER_URL" -c 'revoke select on all sequences in schema hookwright from hookwright'`,
    );
    await expect(place.backup()).rejects.toThrow("permission denied for sequence");
    expect(await readdir(place.backups)).toEqual(["monday.dump", "monday.dump.part"]);

    // The role of the server does not own the schema.
    const url = await place.run(`echo "$HOOKWRIGHT_STORAGE"`);
    const refused = place.restore({ OWNER_URL: url.replace(/\?.*/su, "") });
    await expect(refused).rejects.toThrow("must be owner of schema hookwright");
    expect((await place.check()).summary).toMatch(/^accounts: 2, /u);
    await place.lose();
    await place.restore();
    expect(await place.check()).toEqual(saved);
  });
});

it.runIf(hasRedisServer)("a Redis without the restored data is suspicious to each command", async () => {
  await using redis = await startRedisServer();
  const env = { HOOKWRIGHT_STORAGE: redis.url, HOOKWRIGHT_SECRET: secret };
  const problem = "is empty, although HOOKWRIGHT_SECRET is set";
  const doctor = await runToEnd({ args: ["doctor"], env });
  expect(doctor.stdout).toMatch(
    new RegExp(`^warning  data  .*${problem}.*Redis does not read dump.rdb`, "mu"),
  );
  const check = await runToEnd({ args: ["check-storage"], env });
  expect(check.stderr).toMatch(new RegExp(`^warning: .*${problem}`, "mu"));
  await using server = await startServer({ env });
  expect(server.stdout).toMatch(new RegExp(`${problem}.*"code":"storage_empty"`, "u"));
});
