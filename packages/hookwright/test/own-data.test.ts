import { sampleDeliveryBody } from "@hookwright/domain";
import { memoryStore } from "@hookwright/storage/memory";
import { afterEach, expect, it, vi } from "vitest";
import { createHookwright } from "../src/index.ts";
import type { ContactRepository, HookwrightOptions, Logger } from "../src/index.ts";

const none: ContactRepository = { get: () => undefined, list: () => [], upsert: () => never() };
const never = (): Promise<never> => new Promise(() => {});

async function openShop(options: Partial<HookwrightOptions>) {
  const lines: unknown[] = [];
  const keep: Logger["info"] = (message, fields) => void lines.push([message, fields]);
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
    role: "api",
    logger: { info: () => {}, warn: keep, error: keep },
    ...options,
  });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  const { api_key } = await hookwright.apiKeys.create("acc_1", { name: "test" });
  const get = (path: string): Promise<Response> =>
    hookwright.fetch(
      new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${api_key}` } }),
    );
  return { hookwright, get, lines };
}

afterEach(() => void vi.useRealTimers());

it("an error of the host's database is logged in full, and the client gets no details", async () => {
  const get = (): never => {
    throw new Error("connect ECONNREFUSED db.internal:5432");
  };
  const shop = await openShop({ contacts: { ...none, get } });
  const answered = await shop.get("/v1/contacts/ct_1");
  expect([answered.status, await answered.text()]).toEqual([
    500,
    '{"success":false,"error":{"code":"internal_error","message":"Something failed inside the service."}}',
  ]);
  expect(JSON.stringify(shop.lines)).toContain("ECONNREFUSED db.internal:5432");
  await shop.hookwright.close();
});

it("a host's database that hangs gets a timeout below five seconds, and the client may retry", async () => {
  const shop = await openShop({ contacts: { ...none, list: never } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = shop.get("/v1/contacts");
  await vi.advanceTimersByTimeAsync(4_999);
  const answered = await asked;
  expect([answered.status, answered.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(JSON.stringify(shop.lines)).toContain("contacts.list has not answered");
  vi.useRealTimers();
  await shop.hookwright.close();
});

it("a thrown value that cannot be converted to text is handled as an error, immediately and after the timeout", async () => {
  const thrown: unknown = Object.create(null);
  const { promise, reject: fail } = Promise.withResolvers<never>();
  const get = (): never => {
    throw thrown;
  };
  const shop = await openShop({ contacts: { ...none, get, list: () => promise } });
  const answered = await shop.get("/v1/contacts/ct_1");
  expect([answered.status, await answered.text()]).toEqual([500, expect.stringContaining("internal_error")]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const asked = shop.get("/v1/contacts");
  await vi.advanceTimersByTimeAsync(4_500);
  expect((await asked).status).toBe(503);
  fail(thrown);
  await vi.advanceTimersByTimeAsync(0);
  vi.useRealTimers();
  const thrownObjects = shop.lines.filter((line) => JSON.stringify(line).includes("not an Error: an object"));
  expect(thrownObjects).toHaveLength(2);
  await shop.hookwright.close();
});

it("orders come from the host's database, whatever was published", async () => {
  const { data } = sampleDeliveryBody("order.created");
  const row = { project_id: "site_1", data };
  const shop = await openShop({ orders: { get: () => row, list: () => [{ position: [1], row }] } });
  expect(await (await shop.get(`/v1/orders/${data.id}`)).json()).toMatchObject({ data });
  expect(await (await shop.get("/v1/orders")).json()).toMatchObject({ data: [data] });
  await shop.hookwright.close();
});

it("a repository that is a class instance keeps its `this`", async () => {
  class Contacts implements ContactRepository {
    readonly asked: string[] = [];
    list = (): [] => [];
    upsert = never;
    get(_accountId: string, contactId: string): undefined {
      this.asked.push(contactId);
    }
  }
  const contacts = new Contacts();
  const shop = await openShop({ contacts });
  expect((await shop.get("/v1/contacts/ct_1")).status).toBe(404);
  expect(contacts.asked).toEqual(["ct_1"]);
  await shop.hookwright.close();
});
