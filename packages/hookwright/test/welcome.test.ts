import type { Subscriber } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, vi } from "vitest";
import { createHookwright } from "../src/create-hookwright.ts";
import type { HookwrightOptions } from "../src/options/options.ts";
import { secret } from "./support/bakery.ts";

async function open(options: Partial<HookwrightOptions>) {
  const hookwright = await createHookwright({ store: memoryStore(), secret, role: "api", ...options });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  return hookwright;
}

const ada = { project_id: "site_1", email: "ada@example.com", name: "Ada" };

it("the welcome automation is called once for a new subscriber, and not for a known one", async () => {
  const welcomed: Subscriber[] = [];
  await using hookwright = await open({ onSubscribed: (subscriber) => void welcomed.push(subscriber) });
  const { subscriber } = await hookwright.subscribers.subscribe("acc_1", ada);
  await hookwright.subscribers.subscribe("acc_1", { ...ada, tags: ["again"] });
  await hookwright.subscribers.put("site_1", "imported@example.com", { status: "active" });
  expect(welcomed).toEqual([subscriber]);
});

it("a change that the welcome automation makes to its argument does not reach the response", async () => {
  await using hookwright = await open({
    onSubscribed: (subscriber) => {
      subscriber.tags.push("welcomed");
      subscriber.name = "Somebody";
    },
  });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "Tool" });
  const response = await hookwright.fetch(
    new Request("http://localhost/v1/subscribers", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(ada),
    }),
  );
  expect(await response.json()).toMatchObject({ data: { name: "Ada", tags: [] } });
});

it("a welcome automation that fails or never ends does not affect the request", async () => {
  const error = vi.fn();
  const logger = { info: () => {}, warn: () => {}, error };
  await using failing = await open({
    logger,
    onSubscribed: () => {
      throw new Error("the newsletter tool is unavailable");
    },
  });
  expect(await failing.subscribers.subscribe("acc_1", ada)).toMatchObject({ created: true });
  await expect.poll(() => error.mock.calls.length).toBeGreaterThan(0);
  expect(JSON.stringify(error.mock.calls)).toContain("the newsletter tool is unavailable");
  await using waiting = await open({ onSubscribed: () => new Promise<never>(() => {}) });
  expect(await waiting.subscribers.subscribe("acc_1", ada)).toMatchObject({ created: true });
});
