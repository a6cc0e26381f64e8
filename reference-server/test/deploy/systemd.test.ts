import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openUnit } from "../support/open-unit.ts";
import { describeUnknownVariables } from "../../src/options/unknown-variables.ts";
import { readProcedure, readUnitInstallation } from "../support/backup-page.ts";
import { hasProgram } from "../support/has-program.ts";
import type { Contents } from "../support/restorable.ts";
import { startSystemd, whyNoSystemd } from "../support/systemd.ts";
import type { Systemd } from "../support/systemd.ts";
import type { SharedStorageName } from "../support/unit-storages.ts";

const folder = fileURLToPath(new URL("../../deploy/systemd", import.meta.url));
const unit = readFileSync(path.join(folder, "hookwright.service"), "utf8");
const dropIn = readFileSync(path.join(folder, "hookwright.service.d/shared-storage.conf"), "utf8");
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gmu"))].map(([, value = ""]) => value);

describe("the systemd unit", () => {
  it("waits for the messages of the server, and has time to drain", () => {
    expect(valuesOf(unit, "Type")).toEqual(["notify"]);
    // systemd-notify is a child of the server.
    expect(valuesOf(unit, "NotifyAccess")).toEqual(["all"]);
    expect(Number(valuesOf(unit, "WatchdogSec"))).toBeGreaterThanOrEqual(10);
    expect(Number(valuesOf(unit, "TimeoutStopSec"))).toBeGreaterThan(15);
  });

  it.each([
    ["unit", unit],
    ["drop-in", dropIn],
  ])("%s: sets known variables, and reads each secret from its credential", (_, text) => {
    const environment = Object.fromEntries(
      valuesOf(text, "Environment").map((pair): [string, string] => {
        const [name = "", ...value] = pair.split("=");
        return [name, value.join("=")];
      }),
    );
    expect(describeUnknownVariables(environment)).toEqual([]);
    const files = Object.entries(environment).filter(([name]) => name.endsWith("_FILE"));
    const credentials = valuesOf(text, "LoadCredential").map((each) => each.split(":")[0]);
    expect(files.map(([, value]) => value)).toEqual(credentials.map((name) => `%d/${name}`));
  });
});

describe.skipIf(!hasProgram("systemd-analyze", "systemd"))("systemd-analyze", () => {
  let directory = "";
  let file = "";
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), "hookwright-systemd-"));
    file = path.join(directory, "hookwright.service");
    // Verifying needs the program.
    writeFileSync(file, unit.replace("/usr/bin/hookwright serve", `${process.execPath} serve`));
    mkdirSync(`${file}.d`);
    copyFileSync(
      path.join(folder, "hookwright.service.d/shared-storage.conf"),
      `${file}.d/shared-storage.conf`,
    );
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it("finds no mistake", () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    // It also complains about other units of this machine.
    expect(stderr.split("\n").filter((line) => line.includes("hookwright"))).toEqual([]);
    expect(status).toBe(0);
  });

  it("rates the exposure at most 2.0", () => {
    const output = execFileSync("systemd-analyze", ["security", "--offline=true", file], {
      encoding: "utf8",
    });
    const [, exposure = ""] = /Overall exposure level for \S+: (\S+)/u.exec(output) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  });
});

const whyNot = whyNoSystemd();
if (whyNot !== undefined) process.stderr.write(`The unit was not started, because ${whyNot}.\n`);

describe.skipIf(whyNot !== undefined)("the unit under systemd", { timeout: 120_000, tags: ["long"] }, () => {
  const { backup, restore } = readProcedure("A data directory");
  let systemd: Systemd;
  beforeAll(async () => {
    systemd = await startSystemd();
    await run(`cd repository\n${readUnitInstallation()}`);
  }, 60_000);
  afterAll(() => systemd[Symbol.asyncDispose]());

  const run = (commands: string) => systemd.run(commands.replaceAll("/backup", "/mnt/backup"));
  const ready = () => run("curl --silent --fail http://127.0.0.1:9464/readyz");
  /** What is there. */
  const check = async () => {
    const output = await run(
      "HOOKWRIGHT_SECRET_FILE=/etc/hookwright/secret hookwright check-storage --storage file:/var/lib/hookwright",
    );
    return /^accounts: .*$/mu.exec(output)?.[0];
  };
  const createAccount = (id: string) =>
    run(`curl --silent --fail --request PUT --header "Authorization: Bearer $(cat /etc/hookwright/host_token)" \
      --json '{"email":"a@example.com"}' http://127.0.0.1:3000/host/v1/accounts/${id}`);
  const owners = async () =>
    new Set((await run("stat --format %U /var/lib/hookwright/*")).trim().split("\n"));

  it("is restored with the commands of the page, and root leaves no files behind", async () => {
    expect(await ready()).toContain('"ready"');
    await createAccount("acc_saved");
    await run(backup);
    const saved = await check();
    expect(saved).toMatch(/^accounts: 1, webhooks: 0, /u);
    await createAccount("acc_late");
    expect(await owners()).toEqual(new Set(["hookwright"]));

    await run("systemctl stop hookwright && truncate --size 4096 /var/lib/hookwright/store-1.mdb");
    expect(await run("cat log")).toMatch(/"code":"stopped"\}\n$/u);
    expect(await run("cat log")).not.toContain("service_manager_not_notified");
    await expect(run("systemctl start hookwright")).rejects.toThrow("failed");
    await run("systemctl stop hookwright");
    await run(restore);
    expect(await check()).toBe(saved);
    await run("systemctl start hookwright");
    expect(await ready()).toContain('"ready"');
    expect(await owners()).toEqual(new Set(["hookwright"]));
  });

  it("names files of root with a command that repairs the directory of its user", async () => {
    await run("systemctl stop hookwright && chown root /var/lib/hookwright/store-1.mdb-lock && rm log");
    await expect(run("systemctl start hookwright")).rejects.toThrow("failed");
    const log = await run("systemctl stop hookwright; cat log");
    const [, user, command = ""] =
      /store-1\.mdb-lock belongs to root, and this process \(user (\d+)\) may not .+ As root, run: (chown .+)$/mu.exec(
        log,
      ) ?? [];
    expect(command).toBe(`chown -R ${user}:${user} /var/lib/private/hookwright`);
    await run(`${command} && systemctl start hookwright`);
    expect(await ready()).toContain('"ready"');
  });
});

const isDebian = existsSync("/lib/systemd/system/redis-server.service");

describe.skipIf(whyNot !== undefined || !isDebian)(
  "the unit is restored with the commands of the page",
  { timeout: 120_000, tags: ["long"] },
  () => {
    /** Returns what is there after the restore. */
    async function drill(name: SharedStorageName): Promise<Contents> {
      await using unit = await openUnit(name);
      await unit.publish(0, 10);
      await unit.backup();
      await unit.publish(10, 10);
      expect(await unit.check()).toMatchObject({ summary: expect.stringContaining("deliveries: 20,") });
      await unit.stop();
      await unit.lose();
      await unit.restore();
      const contents = await unit.check();
      await unit.start();
      return contents;
    }

    const restored = {
      rows: expect.any(Number),
      summary: expect.stringMatching(/^accounts: 1, webhooks: 1, pending deliveries: 10, /u),
      warnings: [],
    };

    it("on a Redis with an append-only file", async () => {
      expect(await drill("redis-aof")).toEqual(restored);
    });

    it("on a Redis without", async () => {
      expect(await drill("redis")).toEqual(restored);
    });

    it("on a PostgreSQL", async () => {
      expect(await drill("postgres")).toEqual(restored);
    });
  },
);
