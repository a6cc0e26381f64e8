import { globSync } from "node:fs";
import { rename } from "node:fs/promises";
import path from "node:path";
import { developerSite } from "@hookwright/console";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { beforeAll, describe, expect, it } from "vitest";
import { apps } from "./support/apps.ts";
import { buildApp } from "./support/build-app.ts";
import { secret } from "./support/deliver.ts";
import { buildAndPack, inProduction, mayInstall } from "./support/install.ts";
import { makeFolder } from "./support/make-folder.ts";
import { openReceiver } from "./support/open-receiver.ts";
import { postOversizedBody } from "./support/post-oversized-body.ts";
import { readStream } from "./support/read-stream.ts";
import { expectedStatuses, tryReceiver } from "./support/receiving-guide.ts";
import { review } from "./support/review.ts";
import { startProgram } from "./support/start-program.ts";

const hostToken = "host-token-of-the-shop";

const environment = {
  ...inProduction,
  HOOKWRIGHT_SECRET: "a test secret of 32 characters!!",
  HOOKWRIGHT_HOST_TOKEN: hostToken,
  WEBHOOK_SECRET: secret,
  HOSTNAME: "127.0.0.1",
  HOST: "127.0.0.1",
  NEXT_MANUAL_SIG_HANDLE: "true",
};

// The files of both guides are in one app, because installing and building a framework takes most of the time.
describe.runIf(mayInstall)(
  "the embedding example and the receiver, built without secrets with",
  { timeout: 60_000, concurrent: true },
  () => {
    let packed: readonly string[] = [];

    beforeAll(async () => {
      packed = await buildAndPack("hookwright");
    }, 240_000);

    describe.each(apps)("$name:", (app) => {
      let moved = "";
      let storesOfBuild: readonly string[] = [];

      beforeAll(async () => {
        const folder = await makeFolder();
        const home = path.join(folder, "app");
        await buildApp(app, home, packed);
        storesOfBuild = globSync("**/*.mdb", { cwd: home });
        moved = path.join(folder, "moved");
        await rename(path.join(home, app.output), moved);
      }, 480_000);

      it("the build opens no store", () => {
        expect(storesOfBuild).toEqual([]);
      });

      it("the API and the site are served, events are delivered, and the exit code is 0", async () => {
        await using receiver = await openReceiver();
        await using server = await startProgram({
          args: [app.server],
          folder: moved,
          environment: { ...environment, HOOKWRIGHT_PRIVATE_TARGETS: new URL(receiver.url).origin },
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

        // Next compresses responses. Events must still arrive as they happen.
        const listener = await call(api, "POST /developer/v1/listeners", apiKey, {});
        const events = `${api}/developer/v1/listeners/${String(listener["id"])}/events`;
        expect((await readStream(events, apiKey, ": listening")).headers.get("content-encoding")).toBeNull();

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
      });

      it("the receiver receives events", async () => {
        await using server = await startProgram({
          args: [app.server],
          folder: moved,
          environment: { ...environment, DATA: await makeFolder() },
        });
        expect(await tryReceiver(server.origin)).toEqual(expectedStatuses);
        expect(server.printed().match(/5 stars: Worth the walk/gu)).toHaveLength(1);
      });
    });
  },
);

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
