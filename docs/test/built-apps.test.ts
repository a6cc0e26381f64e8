import { globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { developerSite } from "@hookwright/console";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepare } from "../../scripts/bootstrap/prepare.mjs";
import { collectDependencies, readWorkspace } from "../../scripts/bootstrap/workspace.mjs";
import { packPackages } from "../../scripts/packing/pack-packages.mjs";
import { apps } from "./support/apps.ts";
import { buildApp, hostToken, inProduction, runIn } from "./support/build-app.ts";
import { body, deliver, secret } from "./support/deliver.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { postOversizedBody } from "./support/post-oversized-body.ts";
import { readGuide, readPlaces } from "./support/read-guide.ts";
import type { GuideBlock } from "./support/read-guide.ts";
import { receivingApps } from "./support/receiving-apps.ts";
import { review } from "./support/review.ts";
import { startProgram } from "./support/start-program.ts";
import { startWorker } from "./support/start-worker.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** These tests install frameworks from npm and take minutes, so they run only on request. */
const isRequested = process.env["HOOKWRIGHT_TEST_APPS"] === "true";

// Builds the packages with types before they are packed, because `next build` checks types.
beforeAll(async () => {
  if (isRequested) await prepare({ build: "full" });
}, 180_000);

describe.runIf(isRequested)(
  "the embedding example, built with",
  { timeout: 240_000, concurrent: true },
  () => {
    let folder = "";
    let packed: readonly string[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "hookwright-apps-"));
      packed = await packWithDependencies("hookwright", path.join(folder, "packed"));
    }, 60_000);
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    it.each(apps)(
      "$name, opens no store during the build, serves the API and the site, delivers, and exits with code 0",
      async (app) => {
        const home = path.join(folder, app.name);
        await buildApp(app, home, packed);
        expect(globSync("**/*.mdb", { cwd: home })).toEqual([]);
        const moved = path.join(folder, `${app.name}, moved`);
        await rename(path.join(home, app.output), moved);

        await using receiver = await openReceiver();
        await using server = await startProgram({
          args: [app.server],
          folder: moved,
          environment: {
            ...inProduction,
            HOOKWRIGHT_SECRET: "a test secret of 32 characters!!",
            HOOKWRIGHT_HOST_TOKEN: hostToken,
            HOOKWRIGHT_PRIVATE_TARGETS: "allow",
            HOSTNAME: "127.0.0.1",
            HOST: "127.0.0.1",
            NEXT_MANUAL_SIG_HANDLE: "true",
          },
        });
        const api = `${server.origin}/integrations`;
        expect(await (await fetch(server.origin)).text()).toContain("The shop");

        const apiKey = await openAccount(api);
        const webhook = await call(api, "POST /v1/webhooks", apiKey, {
          event: "review.submitted",
          target_url: receiver.url,
        });
        receiver.secrets.push(String(webhook["signing_secret"]));
        await call(api, "POST /host/v1/events", hostToken, {
          event: "review.submitted",
          project_id: "site_shop",
          data: review,
        });
        expect(await receiver.arrived).toMatchObject({
          id: "review.submitted_rev_1",
          data: { title: review.title },
        });

        // The raw body reaches the API, so that the API itself refuses malformed JSON.
        const refused = await send(api, "POST /v1/webhooks", apiKey, "{");
        expect([refused.status, await refused.json()]).toMatchObject([
          400,
          { error: { code: "validation_failed" } },
        ]);
        expect(await readSite(api)).toEqual(await readSiteFiles());
        for (const home of [api, `${api}/`])
          expect(await fetch(home)).toMatchObject({ status: 200, url: `${api}/reference` });

        for (const sent of ["headers", "length", "chunked"] as const) {
          const tooLong = await postOversizedBody(`${api}/v1/webhooks`, { apiKey, sent });
          expect([sent, tooLong]).toMatchObject([sent, { statuses: ["413"], connection: "close" }]);
        }

        expect([await server.stop(), server.printed()]).toEqual([
          { code: 0, signal: null },
          expect.anything(),
        ]);
        expect(server.printed()).not.toMatch(/^\s+at /mu);
        expect(await readHeldPartitions(path.join(moved, "data"))).toEqual([]);
      },
    );
  },
);

describe.runIf(isRequested)(
  "the receiving guide, followed in an empty folder:",
  { timeout: 480_000, concurrent: true },
  () => {
    const blocks = readGuide(new URL("../guide/receiving.md", import.meta.url));
    const findBlock = (name: string): GuideBlock => {
      const block = blocks.find(({ file }) => file === `docs/examples/receiving/${name}`);
      if (block === undefined) throw new Error(`the guide does not show ${name}`);
      return block;
    };
    const shell = blocks
      // Calls of a server are not part of the receiver.
      .filter(({ language, code }) => language === "sh" && !code.startsWith("curl "))
      .map(({ code }) => code.trim().split("\n"));
    const environment = { ...inProduction, WEBHOOK_SECRET: secret, HOST: "127.0.0.1" };
    let folder = "";
    let tarball = "";

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "hookwright-receiving-"));
      [tarball = ""] = await packWithDependencies("@hookwright/signature", path.join(folder, "packed"));
    }, 60_000);
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    /** Installs packages: ours from its tarball, others in the version that our tests use. */
    async function install(home: string, args: readonly string[]): Promise<void> {
      const versions: Readonly<Record<string, string>> = JSON.parse(
        await readFile(path.join(root, "docs/package.json"), "utf8"),
      ).dependencies;
      const packages = args.map((name) =>
        name === "@hookwright/signature" ? tarball : `${name}@${versions[name] ?? "latest"}`,
      );
      await runNpm(home, ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages]);
    }

    async function save(home: string, place: string, { code }: Pick<GuideBlock, "code">): Promise<void> {
      const file = path.join(home, place);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, code);
    }

    it("servers start from the unchanged files", async () => {
      const home = path.join(folder, "servers");
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

      await save(home, "receive.ts", findBlock("receive.ts"));
      const [, variable = "", value = "", file = ""] =
        /^([A-Z_]+)=(\S+) node (\S+)$/u.exec(startExpress) ?? [];
      expect([variable, value, file]).toEqual(["WEBHOOK_SECRET", secret, "express.ts"]);
      for (const server of [file, "express-json.ts", "node-http.ts", "fastify.ts", "h3.ts", "hono.ts"]) {
        await save(home, server, findBlock(server));
        await using running = await startProgram({ args: [server], folder: home, environment });
        expect([server, await tryReceiver(running.origin)]).toEqual([server, [204, 204, 401, 400]]);
      }
    });

    it.each(receivingApps)("$name builds without the secret and receives events", async (app) => {
      const home = path.join(folder, app.framework);
      await cp(new URL(`apps/${app.framework}/`, import.meta.url), home, { recursive: true });
      const route = findBlock(app.route);
      const [shared = "", place = ""] = readPlaces(route);
      await save(home, shared, findBlock("receive.ts"));
      await save(home, place, { code: route.code.replace(...app.instead) });
      for (const [name, code] of Object.entries(app.settings)) await save(home, name, { code });
      await runNpm(home, ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball]);

      const [program, ...args] = app.build;
      for (let build = 0; build < app.builds; build += 1)
        await runIn(home, path.join(home, "node_modules/.bin", program), args);
      await using running = await startProgram({ args: app.start, folder: home, environment });
      expect(await tryReceiver(running.origin)).toEqual([204, 204, 401, 400]);
      expect(running.printed().match(/5 stars: Worth the walk/gu)).toHaveLength(1);
    });

    it("a Cloudflare Worker receives events in workerd", async () => {
      const home = path.join(folder, "worker");
      await save(home, "package.json", { code: '{ "private": true, "type": "module" }' });
      await save(home, "worker.ts", findBlock("worker.ts"));
      const programs = ["esbuild@0.28.2", "workerd@1.20261117.1"];
      await runNpm(home, ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball, ...programs]);
      const bin = path.join(home, "node_modules/.bin");
      const bundle = path.join(home, "worker.mjs");
      await runIn(home, path.join(bin, "esbuild"), [
        "worker.ts",
        "--bundle",
        "--format=esm",
        `--outfile=${bundle}`,
      ]);
      await using running = await startWorker({
        program: path.join(bin, "workerd"),
        bundle,
        environment: { WEBHOOK_SECRET: secret },
      });
      expect(await tryReceiver(running.origin)).toEqual([204, 204, 401, 400]);
    });
  },
);

/** Returns the statuses for a test, an event, a changed body, and a signed body that is not an event. */
async function tryReceiver(origin: string): Promise<readonly number[]> {
  const url = `${origin}/webhooks`;
  return [
    await deliver(fetch, url, { test: true }),
    await deliver(fetch, url),
    await deliver(fetch, url, { sent: `${body} ` }),
    await deliver(fetch, url, { signed: "{}" }),
  ];
}

function runNpm(folder: string, args: readonly string[]): Promise<void> {
  return runIn(folder, process.platform === "win32" ? "npm.cmd" : "npm", ["--loglevel=error", ...args]);
}

/** Packs one of our packages with all of ours that it needs, and returns the paths of the tarballs. */
async function packWithDependencies(name: string, into: string): Promise<readonly string[]> {
  const workspace = collectDependencies(readWorkspace(), name);
  return [...(await packPackages({ workspace, folder: into })).values()];
}

/** Creates an account with a site, and returns an API key. */
async function openAccount(api: string): Promise<string> {
  await call(api, "PUT /host/v1/accounts/acc_bakery", hostToken, {
    name: "Bakery",
    email: "owner@example.com",
  });
  await call(api, "PUT /host/v1/projects/site_shop", hostToken, { account_id: "acc_bakery", name: "Shop" });
  const key = await call(api, "POST /host/v1/accounts/acc_bakery/api-keys", hostToken, { name: "Built" });
  return String(key["api_key"]);
}

/** Returns the `data` of the response. */
async function call(
  api: string,
  route: string,
  token: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await send(api, route, token, JSON.stringify(body));
  const answer = await response.json();
  expect([route, answer]).toMatchObject([route, { success: true }]);
  return answer.data;
}

function send(api: string, route: string, token: string, body: string): Promise<Response> {
  const [method = "", place = ""] = route.split(" ");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${api}${place}`, { method, headers, body });
}

/** Returns the status, type and text of every file of the developer site from the server. */
// If an idle connection is closed before a slow client has read a complete response, `fetch` fails (seen on a busy machine).
// With "connection: close" the end of the connection is the end of the response.
async function readSite(api: string): Promise<readonly unknown[]> {
  return Promise.all(
    developerSite().map(async ({ path }) => {
      const response = await fetch(`${api}${path}`, { headers: { connection: "close" } });
      return [path, response.status, response.headers.get("content-type"), await response.text()];
    }),
  );
}

async function readSiteFiles(): Promise<readonly unknown[]> {
  return Promise.all(
    developerSite().map(async ({ path, contentType, read }) => {
      const { body } = await read();
      return [path, 200, contentType, new TextDecoder().decode(body)];
    }),
  );
}

/** Returns the partitions whose lease was not released. After a clean shutdown there are none. */
async function readHeldPartitions(directory: string): Promise<readonly string[]> {
  await using store = await openFilesystemStore({ directory });
  const partitions = Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`);
  const leases = await store.getMany(partitions.map((partition) => [partition, "lease"]));
  return partitions.filter((_, index) => leases[index] !== undefined);
}
