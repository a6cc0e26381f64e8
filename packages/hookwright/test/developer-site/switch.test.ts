import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import { secret } from "../support/bakery.ts";

const paths = ["/console", "/console/console.js", "/reference", "/console/reference.js"];

it.each([
  ["with the developer site by default", {}, 200],
  ["without it", { developerSite: false }, 404],
  ["as a worker", { role: "worker" as const }, 404],
])("a Hookwright is composed %s", async (_, options, status) => {
  await using hookwright = await createHookwright({ store: memoryStore(), secret, ...options });
  for (const path of paths) {
    const response = await hookwright.fetch(new Request(`http://localhost${path}`));
    expect([path, response.status]).toEqual([path, status]);
    await response.body?.cancel();
  }
});

it("without the site, the console API still exists", async () => {
  await using hookwright = await createHookwright({ store: memoryStore(), secret, developerSite: false });
  const response = await hookwright.fetch(new Request("http://localhost/console/api/keys"));
  expect(response.status).toBe(401);
});
