import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { sampleDeliveryBody } from "@hookwright/domain";
import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { listenLocally } from "../support/listen-locally.ts";
import { openWorld } from "./support/open-world.ts";
import type { World } from "./support/open-world.ts";
import { everyStorage } from "./support/storages.ts";
import type { StorageUnderTest } from "./support/storages.ts";

const email = "ada.king@example.com";
/** As the shop writes it. */
const shown = "Ada.King@Example.com";
const host = "/host/v1/accounts/acc_1";

function order(id: string, address: string, name: string) {
  const { data } = sampleDeliveryBody("order.created");
  return { ...data, id, number: id, customer: { name, email: address, phone: null } };
}

/** Everything of an account that can have the address of one of its customers, made through the public API. */
async function fill(world: World) {
  const { hookwright, ask, publishEvent } = world;
  const endpoint = await listenLocally(
    createServer(async (request, response) => {
      const body = String(await buffer(request));
      response.writeHead(request.url === "/fails" ? 500 : 200, { "x-customer": shown });
      response.end(`for ${shown}: ${body}`);
    }),
  );
  const subscribe = async (path: string): Promise<string> => {
    const event = path === "/fails" ? "order.created" : "*";
    const json = event === "*" ? { events: ["*"] } : { event };
    return (await ask("POST /v1/webhooks", { json: { ...json, target_url: endpoint.origin + path } })).data
      .id;
  };
  await subscribe("/fails");
  await subscribe("/works");
  const { data: contact } = await ask("POST /v1/contacts", {
    json: { project_id: "site_1", email: shown, name: "Ada King", notes: "Countess" },
  });
  await ask("POST /v1/subscribers", { json: { project_id: "site_1", email: shown } });
  await publishEvent("order.created", order("ord_1", shown, "Ada King"));
  // Another address later: the older data is kept for the log.
  await publishEvent("order.created", order("ord_2", shown, "Ada King"));
  await publishEvent("booking.created", {
    ...sampleDeliveryBody("booking.created").data,
    id: `booking:${email}`,
    customer: { name: "Ada King", email: shown, phone: null },
  });
  await publishEvent("order.created", { ...order("ord_3", "bob@example.com", "Bob"), note: `for ${shown}` });
  await ask("POST /v1/blog-posts", {
    json: { project_id: "site_1", title: `Write to ${shown}`, content: `<p>${shown}</p>` },
  });
  await ask(`GET /v1/contacts/${encodeURIComponent(shown)}`);
  await ask(`GET /v1/contacts/${contact.id}`);
  await hookwright.suppressions.put(email, { reason: "complained" });
  await expect
    .poll(async () => {
      const { rows } = await hookwright.deliveries.list("acc_1", {}, { limit: 100 });
      return rows
        .map(({ event, status, attempts_made: attempts }) => `${event} ${status} ${attempts}`)
        .toSorted();
    })
    .toEqual([
      "booking.created delivered 1",
      "order.created delivered 1",
      "order.created delivered 1",
      "order.created delivered 1",
      "order.created pending 3",
      "order.created pending 3",
      "order.created pending 3",
      "subscriber.created delivered 1",
    ]);
  await publishEvent("order.paid", order("ord_2", "new@example.com", "Ada King"));
  await world.addRejected?.("site_1", order("ord_4", shown, "Ada King"));
  await hookwright.resends.start("acc_1", { filter: { statuses: ["failed"], q: shown } });
  return { endpoint, contactId: contact.id };
}

async function search(store: Store, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const partition of partitions)
    for (const { key, value } of await store.list({ prefix: [partition], limit: 100_000 })) {
      const row = `${key.join(" ")} = ${value}`;
      if (decode(row).toLowerCase().includes(text.toLowerCase())) found.push(row);
    }
  return found;
}

function isIn(text: string | undefined, address: string): boolean {
  return decode(text ?? "")
    .toLowerCase()
    .includes(address);
}

function decode(text: string): string {
  return text.replaceAll(/%40/gu, "@");
}

async function erase(world: World, address: string) {
  const started = await world.host(`POST ${host}/erasures`, { email: address });
  expect(started.status).toBe(202);
  expect(started.data).toEqual({ id: started.data.id, status: "running" });
  let receipt = JSON.parse("null");
  await expect
    .poll(
      async () => {
        receipt = (await world.host(`GET ${host}/erasures/${started.data.id}`)).data;
        return receipt.status;
      },
      { timeout: 30_000, interval: 200 },
    )
    .toBe("finished");
  return receipt;
}

describe.each(everyStorage)("on $name", (storage: StorageUnderTest) => {
  it("nothing of a person is found after an erasure", async () => {
    await using world = await openWorld(storage);
    const { endpoint, contactId } = await fill(world);
    const { hookwright, store } = world;
    const before = await hookwright.accounts.ledger("acc_1");
    expect((await search(store, email)).length).toBeGreaterThan(20);
    expect(isIn(await world.readDirectly?.(), email)).toBe(world.readDirectly !== undefined);

    expect(await erase(world, shown)).toMatchObject({ contacts: 1, subscribers: 1, records: 2 });

    for (const text of [email, contactId, "Ada King", "Countess"])
      expect((await search(store, text)).filter((row) => !isOfNewAddress(row))).toEqual([]);
    // What no read of the store shows.
    expect(isIn(await world.readDirectly?.(), email)).toBe(false);
    const { totals } = await hookwright.accounts.ledger("acc_1");
    const { due, delivered, pending, failed, cancelled, not_sent } = totals;
    expect(due).toBe(before.totals.due);
    expect(delivered + pending + failed + cancelled + not_sent).toBe(due);
    // Other customers, and the order that has another address now.
    const { rows } = await hookwright.orders.list("acc_1", {});
    expect(rows.map(({ id }) => id).toSorted()).toEqual(["ord_2", "ord_3"]);
    await expect(
      hookwright.subscribers.subscribe("acc_1", { project_id: "site_1", email }),
    ).rejects.toMatchObject({ code: "email_rejected" });
    await endpoint[Symbol.asyncDispose]();
  });
});

/** The order whose customer has another address now has the same name. */
function isOfNewAddress(row: string): boolean {
  return row.includes("new@example.com") && !row.toLowerCase().includes(email);
}

it("an erasure of an unknown account, or without an address, is refused", async () => {
  const memory = { name: "memory", open: async () => ({ store: memoryStore(), close: async () => {} }) };
  await using world = await openWorld(memory);
  const unknown = await world.host("POST /host/v1/accounts/acc_2/erasures", { email });
  expect([unknown.status, unknown.error?.code]).toEqual([404, "resource_not_found"]);
  const invalid = await world.host(`POST ${host}/erasures`, { email: "ada" });
  expect([invalid.status, invalid.error?.message]).toEqual([422, "email: must be an e-mail address"]);
  const { status, error } = await world.host(`DELETE ${host}/contacts/ct_1`);
  expect([status, error?.code]).toEqual([404, "resource_not_found"]);
});
