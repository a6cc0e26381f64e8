import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWorkspace } from "../../scripts/bootstrap/workspace.mjs";
import { collectDependencies } from "../../scripts/packing/collect-dependencies.mjs";
import { describePacked } from "../../scripts/packing/describe-packed.mjs";
import { packPackages } from "../../scripts/packing/pack-packages.mjs";
import { until } from "./support/fleet.ts";
import { startProcess } from "./support/installed-cli.ts";

describe.skipIf(process.platform === "win32")(
  "the command of `npm run pack` that installs the server globally",
  { tags: ["long"], timeout: 240_000 },
  () => {
    let folder = "";
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "hookwright-global-"));
      await mkdir(path.join(folder, "home"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    /** The folder of global packages is a folder of this test. */
    function start(command: string) {
      const prefix = path.join(folder, "prefix");
      const env = {
        ...process.env,
        PATH: [path.join(prefix, "bin"), path.dirname(process.execPath), process.env["PATH"]].join(":"),
        PORT: "0",
        HOOKWRIGHT_LOG: "json",
        npm_config_prefix: prefix,
        npm_config_prefer_offline: "true",
        npm_config_audit: "false",
      };
      return startProcess("sh", ["-c", `exec ${command}`], {
        cwd: path.join(folder, "home"),
        env,
        timeout: 100_000,
      });
    }
    const run = (command: string) => start(command).exited;

    async function pack(): Promise<string> {
      const workspace = collectDependencies(readWorkspace(), "@hookwright/reference-server");
      const packed = await packPackages({ folder: path.join(folder, "packed"), workspace });
      const text = describePacked({ workspace, packed, folder });
      const [command = ""] = /npm install --global (?:.+\\\n)+.+/u.exec(text) ?? [];
      return command;
    }

    async function expectToServe(storage: string): Promise<void> {
      const server = start(`hookwright serve --storage ${storage}`);
      const listening = () => server.rows().find(({ msg }) => msg === "listening");
      await Promise.race([until(() => listening() !== undefined), server.exited]);
      const { url } = listening() ?? {};
      if (typeof url !== "string") throw new Error(`It does not listen:\n${server.output()}`);
      expect((await fetch(`${url}/console/`)).status).toBe(200);
      server.signal("SIGTERM");
      expect(await server.exited).toMatchObject({ code: 0 });
      const doctor = await run(`hookwright doctor --storage ${storage}`);
      expect(doctor).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok +storage +file:/mu) });
    }

    it("brings all stores, and a store that is removed is named before anything is created", async () => {
      const install = await pack();
      expect(await run(install)).toMatchObject({ code: 0 });
      await expectToServe("file:data");
      for (const storage of ["redis://127.0.0.1:1", "postgres://127.0.0.1:1/shop"]) {
        const secret = "s".repeat(32);
        const doctor = await run(`env HOOKWRIGHT_SECRET=${secret} hookwright doctor --storage ${storage}`);
        expect(doctor.stdout).toMatch(/^failed +storage .*127\.0\.0\.1:1\S* is unreachable/mu);
      }

      expect(await run("npm uninstall --global lmdb")).toMatchObject({ code: 0 });
      const doctor = await run("hookwright doctor --storage file:later");
      const [, problem = ""] = /^failed +storage +(.*)$/mu.exec(doctor.stdout) ?? [];
      expect(problem).toContain('needs the package "lmdb"');
      const serve = await run("hookwright serve --storage file:later");
      expect(serve).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
      expect(existsSync(path.join(folder, "home/later"))).toBe(false);

      const [, repair = ""] = /\(beside a global command: (.*?)\)/u.exec(problem) ?? [];
      expect(await run(repair)).toMatchObject({ code: 0 });
      await expectToServe("file:later");
    });
  },
);
