import { createHookwright } from "hookwright";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { runtimes } from "../../signature/test/runtimes/run-in.ts";
import { openServer } from "./support/open-server.ts";

const module = new URL("runtimes/suite.ts", import.meta.url);

it.each(runtimes)("calls have the same results on $name", { timeout: 60_000 }, async (runtime) => {
  const secret = "a test secret of 32 characters!!";
  await using hookwright = await createHookwright({ store: memoryStore(), secret, role: "api" });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const { api_key: apiKey } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  await using server = await openServer(hookwright.handler);
  // A page calls its own server, so CORS is not involved.
  const argument = runtime.name === "Chromium" ? { apiKey } : { apiKey, baseUrl: server.origin };
  const suite = { module, argument, serve: hookwright.handler };
  expect(JSON.parse(await runtime.run(runtime.program, suite))).toEqual({
    account: "acc_1",
    created: [true, true, false, true],
    names: ["cleo", "bob", "ada"],
    refused: [404, "resource_not_found"],
    keyless: [401, "invalid_api_key"],
    aborted: "ClientError",
    document: "3.1.1",
  });
});
