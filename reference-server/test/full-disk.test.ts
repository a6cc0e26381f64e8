// A disk is filled, again and again.
// @module-tag long

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  mountSmallFileSystem,
  whyNoSmallFileSystem,
} from "../../packages/storage/test/support/small-file-system.ts";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { call, createAccount, hostToken } from "./support/host-api.ts";
import { startServer } from "./support/server-process.ts";

const mayMount = (await whyNoSmallFileSystem()) === undefined;

async function publish(url: string, id: string): Promise<Response> {
  const data = createDemoOrder({ id, number: id, createdAt: Date.now() });
  return fetch(`${url}/host/v1/events`, {
    method: "POST",
    headers: { Authorization: `Bearer ${hostToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ event: "order.created", project_id: "site_1", data }),
  });
}

// packages/storage/test/filesystem-full.test.ts tests the store alone, and says why it may be skipped.
describe.skipIf(!mayMount)("a server with a full disk", () => {
  it(
    "refuses writes with 503, serves reads, loses nothing, and continues once there is space",
    { timeout: 60_000 },
    async () => {
      const directory = await mountSmallFileSystem(8);
      const ballast = join(directory, "ballast");
      await writeFile(ballast, Buffer.alloc(4 * 1024 * 1024));
      const env = {
        HOOKWRIGHT_HOST_TOKEN: hostToken,
        HOOKWRIGHT_STORAGE: `file:${join(directory, "data")}`,
        HOOKWRIGHT_RATE_LIMIT: "1000000",
      };
      const published: string[] = [];
      {
        await using server = await startServer({ env });
        const { apiKey } = await createAccount(server);
        let refused: Response | undefined;
        for (let number = 0; refused === undefined; number += 20) {
          const ids = Array.from({ length: 20 }, (_, index) => `ord_${number + index}`);
          const responses = await Promise.all(ids.map((id) => publish(server.url, id)));
          responses.forEach(({ ok }, index) => ok && published.push(ids[index] ?? ""));
          refused = responses.find(({ ok }) => !ok);
        }
        expect(refused.status).toBe(503);
        expect(await refused.json()).toMatchObject({ success: false, error: { code: "internal_error" } });
        expect(published.length).toBeGreaterThan(50);
        // Request counts are written too. Without space they are counted in memory.
        for (const id of published.slice(0, 5)) {
          expect(await call(server, `/v1/orders/${id}`, { token: apiKey })).toMatchObject({ id });
        }
        expect(server.stdout).toMatch(/disk is full/u);
        // A small write still succeeds, but no publish does.
        await expect
          .poll(
            async () => {
              const responses = await Promise.all(
                Array.from({ length: 20 }, (_, index) => publish(server.url, `ord_x${index}`)),
              );
              published.push(...responses.flatMap(({ ok }, index) => (ok ? [`ord_x${index}`] : [])));
              return (await fetch(`${server.url}/readyz`)).status;
            },
            { timeout: 20_000 },
          )
          .toBe(503);

        await rm(ballast);
        const isReady = async () => (await fetch(`${server.url}/readyz`)).ok;
        await expect.poll(isReady).toBe(true);
        for (const id of ["ord_a", "ord_b"]) {
          expect((await publish(server.url, id)).status).toBe(200);
          published.push(id);
        }
        expect((await server.stop()).code).toBe(0);
      }
      await using again = await startServer({ env });
      const key = await call(again, "/host/v1/accounts/acc_1/api-keys", {
        method: "POST",
        body: { name: "again" },
      });
      for (const id of published)
        expect(await call(again, `/v1/orders/${id}`, { token: String(key["api_key"]) })).toMatchObject({
          id,
        });
    },
  );
});
