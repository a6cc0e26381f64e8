import { globSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { developerSite } from "@hookwright/console";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensurePnpm } from "../../scripts/bootstrap/toolchain.mjs";
import { collectDependencies, readWorkspace, runtimeNeeds } from "../../scripts/bootstrap/workspace.mjs";
import { packPackages } from "../../scripts/packing/pack-packages.mjs";
import { apps } from "./support/apps.ts";
import { buildApp, hostToken, inProduction } from "./support/build-app.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { postTooMuch } from "./support/post-too-much.ts";
import { review } from "./support/review.ts";
import { startProgram } from "./support/start-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The frameworks come from npm's registry and take a minute: nobody waits for them who has not asked. */
const isAsked = process.env["HOOKWRIGHT_TEST_APPS"] === "true";

describe.runIf(isAsked)(
  "the examples of embedding, built into a server by",
  { timeout: 240_000, concurrent: true },
  () => {
    let folder = "";
    let packed: readonly string[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), "hookwright-apps-"));
      packed = await packOurs(path.join(folder, "packed"));
    }, 60_000);
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

    it.each(apps)(
      "$name, open no store meanwhile, serve the API and the site, deliver, and end in good order",
      async (app) => {
        const home = path.join(folder, app.name);
        await buildApp(app, home, packed);
        expect(globSync("**/*.mdb", { cwd: home })).toEqual([]);
        const moved = path.join(folder, `${app.name}, moved`);
        await rename(path.join(home, app.output), moved);

        await using receiver = await openReceiver();
        await using server = await startProgram({
          words: [app.server],
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

        // A body reaches the API whole, so that the API itself refuses what is no JSON.
        const refused = await send(api, "POST /v1/webhooks", apiKey, "{");
        expect([refused.status, await refused.json()]).toMatchObject([
          400,
          { error: { code: "validation_failed" } },
        ]);
        expect(await readSite(api)).toEqual(await siteAsItIs());
        for (const home of [api, `${api}/`])
          expect(await fetch(home)).toMatchObject({ status: 200, url: `${api}/reference` });

        for (const sent of ["headers", "length", "chunked"] as const) {
          const tooLong = await postTooMuch(`${api}/v1/webhooks`, { apiKey, sent });
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

async function packOurs(into: string): Promise<readonly string[]> {
  const { env } = process;
  const progress = {
    step: async (_: string, work: () => Promise<unknown>) => void (await work()),
    note() {},
  };
  const pnpm = await ensurePnpm({ root, env, progress });
  const workspace = collectDependencies(readWorkspace(root), "hookwright", runtimeNeeds);
  return [...(await packPackages({ workspace, folder: into, pnpm, env })).values()];
}

/** Makes an account with a site, and answers its key. */
async function openAccount(api: string): Promise<string> {
  await call(api, "PUT /host/v1/accounts/acc_bakery", hostToken, {
    name: "Bakery",
    email: "owner@example.com",
  });
  await call(api, "PUT /host/v1/projects/site_shop", hostToken, { account_id: "acc_bakery", name: "Shop" });
  const key = await call(api, "POST /host/v1/accounts/acc_bakery/api-keys", hostToken, { name: "Built" });
  return String(key["api_key"]);
}

/** What a call answers as its data. */
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

/** Type and text of every file of the developer site, as it is served. */
async function readSite(api: string): Promise<readonly unknown[]> {
  return Promise.all(
    developerSite().map(async ({ path }) => {
      const response = await fetch(`${api}${path}`);
      return [path, response.status, response.headers.get("content-type"), await response.text()];
    }),
  );
}

async function siteAsItIs(): Promise<readonly unknown[]> {
  return Promise.all(
    developerSite().map(async ({ path, contentType, read }) => {
      const { body } = await read();
      return [path, 200, contentType, new TextDecoder().decode(body)];
    }),
  );
}

/** Which partitions nobody has given back: a process that ended in good order leaves all of them to the next. */
async function readHeldPartitions(directory: string): Promise<readonly string[]> {
  await using store = await openFilesystemStore({ directory });
  const partitions = Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`);
  const expiries = await store.getMany(partitions.map((partition) => [partition, "lease-expiry"]));
  return partitions.filter((_, index) => expiries[index] !== "0");
}
