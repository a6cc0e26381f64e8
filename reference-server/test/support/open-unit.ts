import { readCheck, readProcedure, readUnitInstallation } from "./backup-page.ts";
import { readContents } from "./restorable.ts";
import type { Contents } from "./restorable.ts";
import { startSystemd } from "./systemd.ts";
import { unitStorages } from "./unit-storages.ts";
import type { SharedStorageName } from "./unit-storages.ts";

/** The unit, under a systemd of its own, which also runs its Redis or PostgreSQL. */
export interface Unit extends AsyncDisposable {
  /** Publishes orders with one delivery each. */
  publish(first: number, count: number): Promise<void>;
  /** Backs it up with the commands of the page. */
  backup(): Promise<void>;
  stop(): Promise<void>;
  /** Destroys its data. */
  lose(): Promise<void>;
  restore(): Promise<void>;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  check(): Promise<Contents>;
}

export async function openUnit(name: SharedStorageName): Promise<Unit> {
  const systemd = await startSystemd();
  const { section, install, variables, lose, start = "" } = unitStorages[name];
  const { backup, restore } = readProcedure(section);
  const run = (commands: string) => systemd.run(commands.replaceAll("/backup", "/mnt/backup"));
  const runWithVariables = (commands: string) =>
    run(`export HOOKWRIGHT_SECRET_FILE=/etc/hookwright/secret ${variables}\n${commands}`);
  try {
    // Nothing is sent, as by the other storages of the drill.
    await run("mkdir -p /etc/hookwright && echo HOOKWRIGHT_ROLE=api > /etc/hookwright/hookwright.env");
    await run(`set -e\n${install}`);
    await run(`cd repository\n${readUnitInstallation()}`);
  } catch (error) {
    await systemd[Symbol.asyncDispose]();
    throw error;
  }
  return {
    async publish(first, count) {
      await run(`node repository/reference-server/test/support/publish-to-unit.ts ${first} ${count}`);
    },
    async backup() {
      await runWithVariables(backup);
    },
    async stop() {
      await run("systemctl stop hookwright");
    },
    async lose() {
      await run(lose);
    },
    async restore() {
      await runWithVariables(`${restore}\n${start}`);
    },
    async start() {
      await run("systemctl start hookwright && curl --silent --fail http://127.0.0.1:9464/readyz");
    },
    check: async () => readContents(await runWithVariables(readCheck())),
    [Symbol.asyncDispose]: async () => systemd[Symbol.asyncDispose](),
  };
}
