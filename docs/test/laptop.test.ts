import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import process from "node:process";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { expect, it } from "vitest";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { makeFolder } from "./support/make-folder.ts";
import { readGuide } from "./support/read-guide.ts";
import { findFreePort } from "../../packages/storage/test/support/free-port.ts";

const commands = readGuide(new URL("../guide/laptop.md", import.meta.url))
  .filter(({ language }) => language === "sh")
  .map(({ code }) => code);

const hasTerminals = spawnSync("script", ["--version"]).status === 0;

async function openServer() {
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
  });
  await hookwright.accounts.put("acc_1", {
    name: "Bakery",
    email: "ada@example.com",
    password: "correct horse",
  });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Bakery" });
  const server = await listenLocally(createServer(hookwright.handler));
  return {
    origin: server.origin,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await hookwright.close();
    },
  };
}

it.runIf(hasTerminals)(
  "the commands of the page lead from an empty folder to an event in the handler",
  { timeout: 120_000 },
  async () => {
    await using server = await openServer();
    const home = await makeFolder();
    const port = await findFreePort();
    const [install = "", start = "", listen = "", trigger = "", ...others] = commands.map((text) =>
      text.replaceAll("http://127.0.0.1:3000", server.origin).replaceAll("8080", String(port)),
    );
    expect(others).toEqual([]);
    const folder = path.join(home, "handler");
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      npm_config_cache: path.join(home, "npm"),
      // Nothing listens there: both packages come from the server.
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_update_notifier: "false",
    };
    /** A terminal of its own. */
    const open = (command: string, cwd: string) => {
      const child = spawn("sh", ["-c", command], { cwd, env: environment, detached: true });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      const ended = once(child, "close");
      return {
        child,
        ended,
        output: () => output,
        async [Symbol.asyncDispose]() {
          if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
          await ended;
        },
      };
    };

    // `login` asks, so it needs a terminal.
    const lines = install.trimEnd().split("\n");
    expect(lines.at(-1)).toBe("npx --no hookwright login");
    const asked = `script --quiet --return --command '${lines.pop()}' /dev/null`;
    await using installing = open([...lines, asked].join(" && "), home);
    await expect.poll(() => installing.output(), { timeout: 60_000 }).toMatch(/e-mail|API key/iu);
    installing.child.stdin.write("ada@example.com\n");
    await expect.poll(() => installing.output()).toContain("Password");
    installing.child.stdin.write("correct horse\n");
    await installing.ended;
    expect(installing.output()).toContain("as Bakery.");

    await using handler = open(start, folder);
    await expect.poll(() => handler.output()).toContain(`http://localhost:${port}/webhooks`);
    await using listening = open(listen, folder);
    await expect.poll(() => listening.output()).toContain("Listening for all events.");
    await using triggered = open(trigger, folder);
    await triggered.ended;
    expect(triggered.output()).toContain("was sent to 1 listener.");
    await expect.poll(() => listening.output()).toMatch(/order\.created {2}dlv_\w+ {2}204 in/u);
    await expect.poll(() => handler.output()).toContain("order.created {");
  },
);
