import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { secret } from "./support/deliver.ts";
import {
  buildAndPack,
  inProduction,
  mayInstall,
  npmInstall,
  runInstalled,
  runNpm,
} from "./support/install.ts";
import { makeFolder } from "./support/make-folder.ts";
import { blocks, expectedStatuses, findBlock, save, tryReceiver } from "./support/receiving-guide.ts";
import { startProgram } from "./support/start-program.ts";
import { startWorker } from "./support/start-worker.ts";

describe.runIf(mayInstall)(
  "the receiving guide, followed in an empty folder:",
  { timeout: 240_000, concurrent: true },
  () => {
    const shell = blocks
      // Calls of a server and of the command line are not part of the receiver.
      .filter(({ language, code }) => language === "sh" && !/^(?:curl|hookwright) /u.test(code))
      .map(({ code }) => code.trim().split("\n"));
    const environment = { ...inProduction, WEBHOOK_SECRET: secret, HOST: "127.0.0.1" };
    let tarball = "";

    beforeAll(async () => {
      [tarball = ""] = await buildAndPack("@hookwright/signature");
    }, 240_000);

    /** Installs packages: ours from its tarball, others in the version that our tests use. */
    async function install(home: string, args: readonly string[]): Promise<void> {
      const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8");
      const versions: Readonly<Record<string, string>> = JSON.parse(manifest).dependencies;
      const packages = args.map((name) =>
        name === "@hookwright/signature" ? tarball : `${name}@${versions[name] ?? "latest"}`,
      );
      await npmInstall(home, packages);
    }

    it("servers start from the unchanged files", async () => {
      const home = path.join(await makeFolder(), "servers");
      await mkdir(home);
      const [installing = [], [installExpress = "", startExpress = ""] = []] = shell;
      expect(shell).toHaveLength(2);
      for (const line of installing) {
        const [npm, command, ...args] = line.split(" ");
        expect(npm).toBe("npm");
        await (command === "install" ? install(home, args) : runNpm(home, [command ?? "", ...args]));
      }
      const inSentences = blocks.flatMap(({ introduction }) =>
        [...introduction.matchAll(/^`(npm install .*)`$/gmu)].map(([, line = ""]) => line),
      );
      await install(
        home,
        [installExpress, ...inSentences].flatMap((line) => line.split(" ").slice(2)),
      );

      await save(home, "receive.ts", findBlock("receive.ts").code);
      const [, variable = "", value = "", file = ""] =
        /^([A-Z_]+)=(\S+) node (\S+)$/u.exec(startExpress) ?? [];
      expect([variable, value, file]).toEqual(["WEBHOOK_SECRET", secret, "express.ts"]);
      for (const server of [file, "express-json.ts", "node-http.ts", "fastify.ts", "h3.ts", "hono.ts"]) {
        await save(home, server, findBlock(server).code);
        await using running = await startProgram({ args: [server], folder: home, environment });
        expect([server, await tryReceiver(running.origin)]).toEqual([server, expectedStatuses]);
      }
    });

    it("a Cloudflare Worker receives events in workerd", async () => {
      const home = await makeFolder();
      await save(home, "package.json", '{ "private": true, "type": "module" }');
      await save(home, "worker.ts", findBlock("worker.ts").code);
      await npmInstall(home, [tarball, "esbuild@0.28.2", "workerd@1.20261117.1"]);
      const bundle = path.join(home, "worker.mjs");
      await runInstalled(home, "esbuild", ["worker.ts", "--bundle", "--format=esm", `--outfile=${bundle}`]);
      await using running = await startWorker({
        program: path.join(home, "node_modules/.bin/workerd"),
        bundle,
        environment: { WEBHOOK_SECRET: secret },
      });
      expect(await tryReceiver(running.origin)).toEqual(expectedStatuses);
    });
  },
);
