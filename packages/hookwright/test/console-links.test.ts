import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import { secret } from "./support/bakery.ts";

it("a link to the console is below the base path, from the function and from the host API", async () => {
  await using hookwright = await createHookwright({
    store: memoryStore(),
    secret,
    hostToken: "the host's token",
    basePath: "/integrations",
    role: "api",
  });
  await hookwright.accounts.put("acc_bakery", { email: "owner@example.com" });
  const { url } = await hookwright.sessions.createLink("acc_bakery");
  expect(url).toMatch(/^\/integrations\/console#\/link\/hwl_[\w-]{43}$/u);
  const path = "/integrations/host/v1/accounts/acc_bakery/console-sessions";
  const headers = { authorization: "Bearer the host's token" };
  const response = await hookwright.fetch(
    new Request(`http://localhost${path}`, { method: "POST", headers }),
  );
  const { data } = JSON.parse(await response.text());
  expect(data.url).toMatch(/^\/integrations\/console#\/link\/hwl_[\w-]{43}$/u);
});

it("only the fingerprint of a code is stored", async () => {
  const store = memoryStore();
  const written: string[] = [];
  const commit: typeof store.commit = (partition, given) => {
    written.push(JSON.stringify(given.mutations));
    return store.commit(partition, given);
  };
  await using hookwright = await createHookwright({ store: { ...store, commit }, secret, role: "api" });
  await hookwright.accounts.put("acc_bakery", { email: "owner@example.com" });
  const { url } = await hookwright.sessions.createLink("acc_bakery");
  const code = url.slice(url.lastIndexOf("/") + 1);
  const { token } = await hookwright.sessions.exchangeLink({ code });
  expect(written.length).toBeGreaterThan(2);
  expect(written.filter((text) => text.includes(code) || text.includes(token))).toEqual([]);
});
