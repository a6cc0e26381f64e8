import { readCheck, readProcedure, readUnitInstallation } from "../../test/support/backup-page.ts";
import { readContents } from "../../test/support/restorable.ts";
import type { Contents } from "../../test/support/restorable.ts";
import { startSystemd } from "../../test/support/systemd.ts";

/** The unit, under a systemd of its own, with the data in its directory. */
export interface Unit extends AsyncDisposable {
  /** Publishes orders with one delivery each. */
  publish(first: number, count: number): Promise<void>;
  /** Backs it up with the commands of the page. Returns the size in bytes. */
  backup(): Promise<number>;
  stop(): Promise<void>;
  /** Destroys its data. */
  lose(): Promise<void>;
  restore(): Promise<void>;
  /** Starts it and waits until it is ready. */
  start(): Promise<void>;
  check(): Promise<Contents>;
}

export async function openUnit(): Promise<Unit> {
  const systemd = await startSystemd();
  const { backup, restore } = readProcedure("A data directory");
  const run = (commands: string) => systemd.run(commands.replaceAll("/backup", "/mnt/backup"));
  // Nothing is sent, as by the other storages of the drill.
  await run("mkdir -p /etc/hookwright && echo HOOKWRIGHT_ROLE=api > /etc/hookwright/hookwright.env");
  await run(`cd repository\n${readUnitInstallation()}`);
  return {
    async publish(first, count) {
      await run(`node repository/reference-server/bench/support/publish-to-unit.ts ${first} ${count}`);
    },
    async backup() {
      await run(backup);
      return Number(await run("stat --format %s /backup/monday/store-1.mdb"));
    },
    async stop() {
      await run("systemctl stop hookwright");
    },
    async lose() {
      await run("truncate --size 4096 /var/lib/hookwright/store-1.mdb");
    },
    async restore() {
      await run(restore);
    },
    async start() {
      await run("systemctl start hookwright && curl --silent --fail http://127.0.0.1:9464/readyz");
    },
    async check() {
      const variables =
        "HOOKWRIGHT_STORAGE=file:/var/lib/hookwright HOOKWRIGHT_SECRET_FILE=/etc/hookwright/secret";
      return readContents(await run(`export ${variables}\n${readCheck()}`));
    },
    [Symbol.asyncDispose]: async () => systemd[Symbol.asyncDispose](),
  };
}
