import { sampleDeliveryBody } from "@hookwright/domain";
import type { Erasure } from "@hookwright/domain";
import { partitionOf, partitions } from "@hookwright/storage";
import type { Commit, Entry, Store } from "@hookwright/storage";
import { expect, it } from "vitest";
import { checkStore } from "../src/store-check/check-store.ts";
import { keys, noticesOf } from "../src/rows/keys.ts";
import { accountId, answered } from "./support/fake-world.ts";
import { openRecoveries } from "./support/open-recoveries.ts";
import type { Recoveries } from "./support/open-recoveries.ts";
import { openService } from "./support/open-service.ts";

const email = "ada@example.com";
const retries = { worker: { retryDelaysSeconds: [60, 3_600], maximumBackoffMs: 0 } };

function order(id: string, address: string, changes: object = {}) {
  const { data } = sampleDeliveryBody("order.created");
  const customer = { name: `Name of ${address}`, email: address, phone: "+44 1632 960000" };
  return { ...data, id, number: id, customer, ...changes };
}

/** An account whose endpoint repeats each request in its answer. */
async function openShop(options: Parameters<typeof openRecoveries>[0] = {}) {
  const opened = await openRecoveries({ ...retries, ...options });
  const { service, world } = opened;
  const publish = (data: object, event = "order.created") =>
    service.publish({ event, project_id: "site_1", data });
  world.transport.answerWith(({ body }) => ({
    ...answered(body.includes("refused") ? 500 : 200),
    headers: ["content-type", "text/plain", "x-customer", JSON.parse(body).data.customer?.email ?? ""],
    excerpt: body,
  }));
  return { ...opened, publish };
}

type Shop = Pick<Recoveries, "service" | "world">;

async function finish({ service, world }: Shop, id: string): Promise<Erasure> {
  for (let step = 0; step < 200; step++) {
    await world.clock.advance(500);
    const erasure = await service.erasures.get(accountId, id);
    if (erasure.status === "finished") return erasure;
  }
  throw new Error(`the erasure never ends: ${String(world.errors.at(-1))}`);
}

async function erase(opened: Shop, address = email): Promise<Erasure> {
  const { id } = await opened.service.erasures.start(accountId, { email: address });
  return finish(opened, id);
}

async function readAll(store: Store): Promise<Entry[]> {
  const pages = await Promise.all(
    partitions.map((partition) => store.list({ prefix: [partition], limit: 100_000 })),
  );
  return pages.flat();
}

/** The rows that have the text in their key or value, in any case. */
async function search(store: Store, text: string): Promise<string[]> {
  return (await readAll(store))
    .map(({ key, value }) => `${key.join(" ")} = ${value}`)
    .filter((row) => row.toLowerCase().includes(text));
}

it("contacts, subscriptions, records and what the log has of them are gone, and others stay", async () => {
  await using opened = await openShop();
  const { service, world, publish } = opened;
  const { store, clock, transport } = world;
  await publish(order("ord_1", "Ada@Example.com", { note: "refused" }));
  await publish(order("ord_2", email));
  await publish(order("ord_3", "bob@example.com", { note: `a gift for ${email}` }));
  await publish(order("ord_4", "joada@example.com"));
  await publish(order("sub_Ada@example.com", email));
  const { contact } = await service.contacts.write(accountId, {
    project_id: "site_1",
    email,
    notes: "a friend",
  });
  await service.subscribers.put("site_1", email, { name: "Ada" });
  await clock.advance(1_000);
  // Retention keeps the data that was sent before.
  await publish(order("ord_2", email, { note: "later" }), "order.paid");
  const before = { ledger: await service.overview.getLedger(accountId, {}), sent: transport.sent.length };
  const [pending] = await service.deliveries
    .list(accountId, { status: "pending" }, { limit: 10 })
    .then(({ rows }) => rows);

  expect(await erase(opened)).toMatchObject({ contacts: 1, subscribers: 1, records: 3, deliveries: 4 });

  expect(transport.sent).toHaveLength(before.sent);
  const isOfOther = (row: string): boolean => row.toLowerCase().replaceAll("joada@", "").includes(email);
  expect((await search(store, email)).filter(isOfOther)).toEqual([]);
  for (const text of ["name of ada", contact.id, "a friend"]) expect(await search(store, text)).toEqual([]);
  const { rows } = await service.deliveries.list(accountId, {}, { limit: 10 });
  const details = await Promise.all(rows.map(({ id }) => service.deliveries.get(accountId, id)));
  expect(
    Object.fromEntries(
      details.map(({ record_id, attempts }) => [record_id, attempts.map(({ body_state }) => body_state)]),
    ),
  ).toEqual({
    ord_1: ["erased"],
    ord_2: ["erased"],
    ord_3: ["erased"],
    ord_4: ["kept"],
    "sub_[erased]": ["erased"],
  });
  const cancelled = await service.deliveries.get(accountId, pending?.id ?? "");
  expect(cancelled).toMatchObject({
    record_id: "ord_1",
    status: "cancelled",
    cancel_reason: "record_deleted",
  });
  expect(cancelled.attempts[0]).toMatchObject({
    request: { body: null },
    headers: {},
    excerpt: null,
    detail: null,
  });
  const { totals } = await service.overview.getLedger(accountId, {});
  expect(totals).toMatchObject({ due: before.ledger.totals.due, pending: 0, cancelled: 1 });
  const order3 = await service.orders.get(accountId, "ord_3");
  expect(JSON.parse(order3.json)).toMatchObject({
    note: "a gift for [erased]",
    customer: { email: "bob@example.com" },
  });
  await expect(service.deliveries.resend(accountId, cancelled.id)).rejects.toMatchObject({
    code: "resource_not_found",
    message: "The record of this delivery was erased: it had data of a person.",
  });
  await expect(service.deliveries.compare(accountId, cancelled.id, 1, { received: "{}" })).rejects.toThrow(
    "data of a person that was erased",
  );
  const damage: unknown[] = [];
  await checkStore({ store, onDamage: (found) => void damage.push(found) });
  expect(damage).toEqual([]);

  // The same address again, of which nothing is left.
  expect(await erase(opened)).toMatchObject({ contacts: 0, subscribers: 0, records: 0, deliveries: 0 });
  expect(world.errors).toEqual([]);
});

it("an attempt that is in flight does not bring the data back", async () => {
  await using opened = await openShop();
  const { service, world, publish } = opened;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.transport.answerWith(async ({ body }) => {
    await promise;
    return { ...answered(500), excerpt: body };
  });
  await publish(order("ord_1", email));
  await world.clock.advance(10);
  const { id } = await service.erasures.start(accountId, { email });
  for (let second = 0; second < 5; second++) await world.clock.advance(1_000);
  expect(await service.erasures.get(accountId, id)).toMatchObject({ status: "running", records: 1 });
  resolve();
  expect(await finish(opened, id)).toMatchObject({ records: 1, deliveries: 1 });
  expect(await search(world.store, email)).toEqual([]);
  const { rows } = await service.deliveries.list(accountId, {}, { limit: 10 });
  expect(rows).toMatchObject([{ status: "cancelled", attempts_made: 1 }]);
  expect(world.errors).toEqual([]);
});

it("after a crash in any of its commits it continues, and counts nothing twice", async () => {
  let commits = 0;
  let failing = Number.POSITIVE_INFINITY;
  const wrapStore = (inner: Store): Store => ({
    ...inner,
    async commit(partition: string, commit: Commit) {
      const isOurs = commit.mutations.some(({ key }) => key[1] === "erasure");
      if (isOurs && ++commits === failing) {
        // The commit happened, and its process died before it knew.
        await inner.commit(partition, commit);
        throw new Error("the process died");
      }
      return inner.commit(partition, commit);
    },
  });
  await using opened = await openShop({ wrapStore });
  const { publish, world } = opened;
  let steps = 2;
  for (let step = 1; step <= steps; step++) {
    await publish(order(`ord_${step}_1`, email));
    await publish(order(`ord_${step}_2`, email, { note: "refused" }));
    await world.clock.advance(1_000);
    commits = 0;
    failing = step === 1 ? Number.POSITIVE_INFINITY : step;
    expect(await erase(opened)).toMatchObject({ contacts: 1, records: 2, deliveries: 2 });
    if (step === 1) steps = commits;
  }
  expect(steps).toBeGreaterThan(8);
  expect(await search(world.store, email)).toEqual([]);
});

it("rows that cannot be read do not stop it, and lose the address too", async () => {
  await using opened = await openShop();
  const { world, publish } = opened;
  await publish(order("ord_1", email));
  await world.clock.advance(1_000);
  const damaged = [
    keys.contact(accountId, "ct_1"),
    keys.record(accountId, "orders", "ord_0"),
    keys.recordVersion(accountId, { kind: "orders", recordId: "ord_0", version: 1 }),
    [...keys.auditLog(partitionOf(accountId)), "aud_1"] as const,
    [...keys.noticeMessages(noticesOf(accountId)), "ntm_1"] as const,
  ];
  for (const key of damaged)
    await world.store.commit(key[0], { mutations: [{ type: "set", key, value: `{"email":"${email}` }] });
  expect(await erase(opened)).toMatchObject({ records: 1 });
  expect(await search(world.store, email)).toEqual([]);
});

it("a row in another partition that changes meanwhile is read again", async () => {
  const change = async (store: Store): Promise<void> => {
    const key = keys.suppressionByAddress(email);
    await store.commit(key[0], {
      mutations: [{ type: "set", key, value: JSON.stringify({ email, reason: "bounced" }) }],
    });
  };
  let isFirst = true;
  const wrapStore = (inner: Store): Store => ({
    ...inner,
    async commit(partition: string, commit: Commit) {
      const isOurs = commit.mutations.some(({ key }) => key[1] === "suppression");
      if (isOurs && isFirst) {
        isFirst = false;
        await change(inner);
      }
      return inner.commit(partition, commit);
    },
  });
  await using opened = await openShop({ wrapStore });
  await opened.service.suppressions.put(email, { reason: "complained" });
  isFirst = true;
  await erase(opened);
  expect(await search(opened.world.store, email)).toEqual([]);
});

it("rejected rows of the outbox that mention the person are removed, of this account only", async () => {
  const row = { event: "order.created", code: "validation_failed", message: "", createdAt: 0, rejectedAt: 0 };
  let rows = Array.from({ length: 120 }, (_, index) => ({
    ...row,
    id: String(index),
    key: `${index}-1`,
    projectId: index % 10 === 0 ? "site_of_nobody" : "site_1",
    data: index % 3 === 0 ? JSON.stringify({ customer: { email } }) : "{}",
    eventId: index % 9 === 1 ? `reminder-${index}/${email}` : undefined,
  }));
  const rejected = {
    async list({ before, limit }: { before?: string | undefined; limit: number }) {
      const from = before === undefined ? 0 : Number.parseInt(before, 10) + 1;
      // Large data is left out of lists.
      return rows
        .filter(({ id }) => Number(id) >= from)
        .slice(0, limit)
        .map((each) => ({ ...each, data: undefined }));
    },
    get: async (key: string) => rows.find((each) => each.key === key),
    async remove(key: string) {
      const before = rows.length;
      rows = rows.filter((each) => each.key !== key);
      return rows.length < before;
    },
    retry: async () => undefined,
    count: async () => rows.length,
  };
  await using opened = await openShop({
    recoverer: { outboxes: [{ rejected: { ...rejected, list: async () => [] } }, { rejected }] },
  });
  await erase(opened);
  const left = rows.filter(({ data, eventId = "" }) => `${data}${eventId}`.includes(email));
  expect(left.map(({ projectId }) => projectId)).toEqual(Array.from({ length: 6 }, () => "site_of_nobody"));
  expect(rows).toHaveLength(120 - 40 - 14 + 6);
});

it("another worker continues an erasure whose worker has stopped", async () => {
  await using opened = await openShop();
  const { service, world, publish, open } = opened;
  for (let number = 0; number < 20; number++) await publish(order(`ord_${number}`, email));
  await world.clock.advance(1_000);
  const { id } = await service.erasures.start(accountId, { email });
  await opened.recoverer.close();
  await opened.worker.close();
  expect(await service.erasures.get(accountId, id)).toMatchObject({ status: "running" });
  const { worker, recoverer } = open("worker_2");
  await worker.start();
  recoverer.start();
  expect(await finish(opened, id)).toMatchObject({ records: 20, deliveries: 20 });
  await recoverer.close();
  await worker.close();
});

it("what is published after the start is new data", async () => {
  await using opened = await openShop();
  const { service, publish } = opened;
  await publish(order("ord_1", email));
  await erase(opened);
  await publish(order("ord_1", email));
  const { rows } = await service.orders.list(accountId, { email }, { limit: 10 });
  expect(rows).toHaveLength(1);
});

it("a suppression holds, although the store does not have its address any more", async () => {
  await using opened = await openShop();
  const { service, world } = opened;
  // As older versions stored it.
  const key = keys.suppressionByAddress(email);
  const value = JSON.stringify({ email, reason: "bounced" });
  await world.store.commit(key[0], { mutations: [{ type: "set", key, value }] });
  await erase(opened);
  expect(await search(world.store, email)).toEqual([]);
  const subscribe = () => service.subscribers.subscribe(accountId, { project_id: "site_1", email });
  await expect(subscribe()).rejects.toMatchObject({ code: "email_rejected" });
  expect(await service.suppressions.put(email, {})).toMatchObject({ reason: "bounced", created: false });
  await service.suppressions.remove(email);
  expect(await subscribe()).toMatchObject({ created: true });
});

it("ten erasures of an account run at once, and the audit log has no address", async () => {
  const { service } = openService();
  await service.accounts.put(accountId, { email: "owner@example.com" });
  for (let number = 0; number < 10; number++) await service.erasures.start(accountId, { email });
  await expect(service.erasures.start(accountId, { email })).rejects.toMatchObject({ code: "invalid_state" });
  await expect(service.erasures.start(accountId, { email: "ada" })).rejects.toMatchObject({
    code: "validation_failed",
  });
  await expect(service.erasures.get(accountId, "ers_1")).rejects.toMatchObject({
    code: "resource_not_found",
  });
  const { rows } = await service.audit.list({ action: "erasure.started" }, { limit: 25 });
  expect(rows).toHaveLength(10);
  expect(JSON.stringify(rows)).not.toContain(email);
});

it("a contact is removed with the subscriptions of its address on its site, and nothing is sent", async () => {
  await using opened = await openShop({ subscription: { event: "subscriber.created" } });
  const { service, world } = opened;
  const { contact } = await service.contacts.write(accountId, { project_id: "site_1", email });
  await service.subscribers.put("site_1", email, {});
  await service.publish({
    event: "subscriber.created",
    project_id: "site_1",
    data: { ...sampleDeliveryBody("subscriber.created").data, id: "sub_2", email },
  });
  await world.clock.advance(1_000);
  const { length } = world.transport.sent;
  expect(await service.contacts.remove(accountId, contact.id)).toEqual({ id: contact.id, deleted: true });
  await world.clock.advance(1_000);
  expect(world.transport.sent).toHaveLength(length);
  await expect(service.contacts.get(accountId, contact.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
  await expect(service.contacts.remove(accountId, contact.id)).rejects.toMatchObject({
    code: "resource_not_found",
  });
  expect(
    (await search(world.store, email)).filter((row) => /^p\d\d (contact|subscriber)/u.test(row)),
  ).toEqual([]);
});
