import { listDeliveries } from "@hookwright/delivery";
import type { DeliveryRow } from "@hookwright/delivery";
import { eventCatalogue } from "@hookwright/domain";
import { partitionOf, StorageError } from "@hookwright/storage";
import type { Commit, Key, Store } from "@hookwright/storage";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { parseContactRow } from "../src/rows/contact-row.ts";
import { keys } from "../src/rows/keys.ts";
import { parseRecordRow } from "../src/rows/record-row.ts";
import type { PublishInput } from "@hookwright/domain";
import type { PublishResult, Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

interface OrderInput {
  readonly id: string;
  readonly email?: string;
  readonly phone?: string | null;
  readonly event?: "order.created" | "order.paid";
  readonly site?: string;
}

function orderOf({ id, email = `${id}@example.com`, phone = null, event, site }: OrderInput): PublishInput {
  const { sampleData } = eventCatalogue["order.created"];
  const customer = { ...sampleData.customer, email, phone };
  return {
    event: event ?? "order.created",
    project_id: site ?? "site_1",
    data: { ...sampleData, id, customer },
  };
}

/** An account with two projects and a webhook for each of two events. A test may act before each commit and read. */
async function openShop(
  onCommit: (commit: Commit, store: Store, number: number) => Promise<void> = async () => {},
  onRead: (keysWanted: readonly Key[]) => Promise<void> = async () => {},
  now: () => number = Date.now,
) {
  const commits: Commit[] = [];
  let reads = 0;
  const offered: DeliveryRow[] = [];
  let isOpen = false;
  const opened = openService({
    now,
    worker: {
      delivers: () => true,
      offer: (_, rows) => offered.push(...rows),
      rescan: () => {},
      webhookChanged: () => {},
    },
    wrap: (store) => ({
      ...store,
      async getMany(keysWanted) {
        reads += 1;
        await onRead(keysWanted);
        return store.getMany(keysWanted);
      },
      async commit(partition, commit) {
        if (isOpen) {
          commits.push(commit);
          await onCommit(commit, store, commits.length);
        }
        return store.commit(partition, commit);
      },
    }),
  });
  const { service, store } = opened;
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  for (const site of ["site_1", "site_2"])
    await service.projects.put(site, { account_id: "acc_1", name: site });
  const creator = { accountId: "acc_1", credential: { type: "console" } } as const;
  for (const event of ["order.created", "order.paid"]) {
    await service.webhooks.create(creator, { event, target_url: "https://example.com/hook" });
  }
  isOpen = true;

  /** The stored records, contacts and deliveries, without values that differ between runs. */
  async function readAll() {
    const list = async (kind: string) =>
      (await store.list({ prefix: [partitionOf("acc_1"), kind, "acc_1"], limit: 10_000 })).map(
        ({ value }) => value,
      );
    const records = (await list("record")).map(parseRecordRow);
    const arrivals = records.map(({ head }) => head.arrival).sort((one, other) => one - other);
    const filters = { status: "pending" };
    const { deliveries } = await listDeliveries(store, {
      accountId: "acc_1",
      filters,
      before: undefined,
      limit: 10_000,
    });
    return {
      records: records.map(({ head, json }) => ({
        events: head.events,
        deliveries: head.deliveries.length,
        arrived: arrivals.indexOf(head.arrival),
        json,
      })),
      /** Replaced data that deliveries may show. */
      versions: (await list("record-version")).length,
      contacts: (await list("contact"))
        .map(parseContactRow)
        .map(({ email, project_id, phone }) => ({ email, project_id, phone }))
        .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
      listed: (await list("order-by-email")).length,
      deliveries: deliveries.map((row) => `${row.record_id} ${row.event}`).sort(),
    };
  }

  return { ...opened, commits, offered, readAll, reads: () => reads };
}

/** Afterwards both projects are known. Looking one up takes another turn, so later publishes could overtake. */
async function publishToEachSite(service: Service): Promise<void> {
  for (const site of ["site_1", "site_2"]) await service.publish(orderOf({ id: `first_of_${site}`, site }));
}

const unavailable = new StorageError("unavailable", "the disk is gone");

it("publishMany fails as a whole if its commits keep conflicting, so that the caller can retry", async () => {
  const { service } = openService({
    wrap: (store) => ({
      ...store,
      commit: async (partition, commit) => {
        const [check] = commit.checks ?? [];
        const isRecord = commit.mutations.some(({ key }) => key[1] === "record");
        return isRecord && check !== undefined
          ? { ok: false, failed: check.key }
          : store.commit(partition, commit);
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await service.projects.put("site_1", { account_id: "acc_1" });
  const good = orderOf({ id: "ord_1" });
  await expect(service.publishMany([good, { ...good, data: {} }])).rejects.toMatchObject({
    code: "internal_error",
    status: 503,
  });
});

describe("events published together", () => {
  it("share one read and one commit, and each has its own result", async () => {
    const { service, commits, offered, readAll, reads } = await openShop();
    const inputs = Array.from({ length: 20 }, (_, index) => orderOf({ id: `ord_${index}` }));
    const readBefore = reads();
    const results = await Promise.all(inputs.map((input) => service.publish(input)));
    expect(reads() - readBefore).toBe(1);
    expect(commits).toHaveLength(1);
    expect(results.map(({ id }) => id)).toEqual(inputs.map((_, index) => `order.created_ord_${index}`));
    expect(results.every(({ duplicate, deliveries }) => !duplicate && deliveries.length === 1)).toBe(true);
    expect(offered.map(({ id }) => id)).toEqual(results.flatMap(({ deliveries }) => deliveries));
    expect(offered.map(({ record_id: id }) => id)).toEqual(inputs.map((_, index) => `ord_${index}`));
    expect((await readAll()).records).toHaveLength(20);
  });

  it("have the same creation time, and so do their contacts", async () => {
    let time = Date.UTC(2026, 0, 1);
    const { service, store, offered } = await openShop(undefined, undefined, () => time++);
    await publishToEachSite(service);
    offered.length = 0;
    await Promise.all(["ord_1", "ord_2"].map((id) => service.publish(orderOf({ id }))));
    const contacts = await store.list({ prefix: keys.contacts("acc_1"), limit: 2, reverse: true });
    const moments = contacts.map(({ value }) => parseContactRow(value).created_at);
    expect(new Set([...moments, ...offered.map((row) => row.created_at)]).size).toBe(1);
    expect([moments.length, offered.length]).toEqual([2, 2]);
  });

  it("are split into commits of a few hundred mutations", async () => {
    const { service, commits } = await openShop();
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => service.publish(orderOf({ id: `ord_${index}` }))),
    );
    expect(commits.length).toBeGreaterThan(3);
    expect(Math.max(...commits.map(({ mutations }) => mutations.length))).toBeLessThan(600);
  });

  it("let other work run between their commits if there are many", async () => {
    const { service, commits } = await openShop();
    let isDone = false;
    const publishing = Promise.all(
      Array.from({ length: 1_000 }, (_, index) => service.publish(orderOf({ id: `ord_${index}` }))),
    ).finally(() => (isDone = true));
    const inRounds: number[] = [];
    while (!isDone) {
      const before = commits.length;
      await new Promise((resolve) => setImmediate(resolve));
      inRounds.push(commits.length - before);
    }
    expect(await publishing).toHaveLength(1_000);
    expect(commits.length).toBeGreaterThan(16);
    expect(Math.max(...inRounds)).toBeLessThanOrEqual(8);
  });

  it("are published in order if they are about one record", async () => {
    const { service, readAll } = await openShop();
    const results = await Promise.all([
      service.publish(orderOf({ id: "ord_1" })),
      service.publish(orderOf({ id: "ord_2" })),
      service.publish(orderOf({ id: "ord_1", event: "order.paid", phone: "+44 20 7946 0000" })),
      service.publish(orderOf({ id: "ord_1" })),
    ]);
    expect(results.map(({ duplicate }) => duplicate)).toEqual([false, false, false, true]);
    const { records } = await readAll();
    expect(records).toMatchObject([
      { events: ["order.created", "order.paid"], deliveries: 2 },
      { deliveries: 1 },
    ]);
  });

  it("create one contact for one customer, and later ones fill its blank fields", async () => {
    const { service, readAll } = await openShop();
    const email = "ada@example.com";
    await Promise.all([
      service.publish(orderOf({ id: "ord_1", email })),
      service.publish(orderOf({ id: "ord_2", email, phone: "+44 20 7946 0000" })),
      service.publish(orderOf({ id: "ord_3", email })),
      service.publish(orderOf({ id: "ord_4", email, site: "site_2" })),
    ]);
    expect((await readAll()).contacts).toEqual([
      { email, project_id: "site_1", phone: "+44 20 7946 0000" },
      { email, project_id: "site_2", phone: null },
    ]);
  });

  it("cost few reads each, however many are about one record or one person", async () => {
    const { service, commits, reads } = await openShop();
    const email = "ada@example.com";
    const inputs = Array.from({ length: 200 }, (_, index) =>
      orderOf({
        id: index < 100 ? "ord_1" : `ord_${index}`,
        email,
        phone: index === 150 ? "+44 20 7946 0000" : null,
      }),
    );
    await Promise.all(inputs.map((input) => service.publish(input)));
    expect(reads()).toBeLessThan(2 * inputs.length + 200);
    expect(commits.length).toBeLessThan(120);
  });

  it("are refused individually", async () => {
    const { service, readAll } = await openShop();
    await service.publish(orderOf({ id: "ord_1" }));
    const results = await Promise.allSettled([
      service.publish(orderOf({ id: "ord_2" })),
      service.publish(orderOf({ id: "ord_1", site: "site_2" })),
      service.publish(orderOf({ id: "ord_3" })),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: { code: "validation_failed" } });
    expect((await readAll()).records).toHaveLength(3);
  });

  it("are committed individually after a conflict with another process", async () => {
    const recordKey = keys.record("acc_1", "orders", "ord_1");
    const { service, readAll, commits } = await openShop(async (_commit, store, number) => {
      if (number !== 2) return;
      const other = await store.get(recordKey);
      const changed = `${other?.slice(0, -"}]".length)},"note":"changed meanwhile"}]`;
      await store.commit(recordKey[0], { mutations: [{ type: "set", key: recordKey, value: changed }] });
    });
    await service.publish(orderOf({ id: "ord_1" }));
    const results = await Promise.all([
      service.publish(orderOf({ id: "ord_2" })),
      service.publish(orderOf({ id: "ord_1", event: "order.paid" })),
    ]);
    expect(results.every(({ duplicate, deliveries }) => !duplicate && deliveries.length === 1)).toBe(true);
    expect(commits).toHaveLength(4);
    expect((await readAll()).deliveries).toEqual([
      "ord_1 order.created",
      "ord_1 order.paid",
      "ord_2 order.created",
    ]);
  });

  it("all fail if the store is unavailable, without a second attempt", async () => {
    const { service, commits, offered } = await openShop(() => Promise.reject(unavailable));
    const results = await Promise.allSettled(
      ["ord_1", "ord_2"].map((id) => service.publish(orderOf({ id }))),
    );
    expect(results).toEqual([
      { status: "rejected", reason: unavailable },
      { status: "rejected", reason: unavailable },
    ]);
    expect(commits).toHaveLength(1);
    expect(offered).toEqual([]);
  });

  it("succeed if another one cannot be stored", async () => {
    const tooLarge = new StorageError("value_too_large", "more than 16 MiB");
    const { service, readAll } = await openShop(async ({ mutations }) => {
      if (mutations.some(({ key }) => key.at(-1) === "ord_2")) throw tooLarge;
    });
    const results = await Promise.allSettled(
      ["ord_1", "ord_2", "ord_3"].map((id) => service.publish(orderOf({ id }))),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toEqual({ status: "rejected", reason: tooLarge });
    expect((await readAll()).records).toHaveLength(2);
  });

  it("succeed if another one cannot be looked up", async () => {
    const tooLong = new StorageError("key_too_long", "more than 1,024 bytes");
    const { service, readAll } = await openShop(undefined, async (keysWanted) => {
      if (keysWanted.some((key) => key.at(-1) === "ord_2")) throw tooLong;
    });
    const results = await Promise.allSettled(
      ["ord_1", "ord_2", "ord_3"].map((id) => service.publish(orderOf({ id }))),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toEqual({ status: "rejected", reason: tooLong });
    expect((await readAll()).records).toHaveLength(2);
  });

  it("succeed if the row of another one is damaged", async () => {
    const { service, store } = await openShop();
    const key = keys.record("acc_1", "orders", "ord_2");
    await store.commit(key[0], { mutations: [{ type: "set", key, value: "no record" }] });
    const results = await Promise.allSettled(
      ["ord_1", "ord_2", "ord_3"].map((id) => service.publish(orderOf({ id }))),
    );
    expect(results).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: expect.any(SyntaxError) },
      { status: "fulfilled" },
    ]);
  });

  it("write nothing of one whose contact is damaged, and all of the others", async () => {
    const { service, store } = await openShop();
    const email = "ada@example.com";
    await service.publish(orderOf({ id: "ord_0", email }));
    const [entry] = await store.list({ prefix: keys.contactsOfEmail("acc_1", email), limit: 1 });
    const contact = keys.contact("acc_1", String(entry?.key.at(-1)));
    await store.commit(contact[0], { mutations: [{ type: "set", key: contact, value: "no contact" }] });
    const results = await Promise.allSettled([
      service.publish(orderOf({ id: "ord_1" })),
      service.publish(orderOf({ id: "ord_2", email, phone: "+1 555 0100" })),
      service.publish(orderOf({ id: "ord_3" })),
    ]);
    expect(results).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: expect.any(SyntaxError) },
      { status: "fulfilled" },
    ]);
    const records = await store.getMany(
      ["ord_1", "ord_2", "ord_3"].map((id) => keys.record("acc_1", "orders", id)),
    );
    expect(records).toEqual([expect.any(String), undefined, expect.any(String)]);
  });

  it("all fail if the store cannot be read", async () => {
    const { service, commits } = await openShop(undefined, async (keysWanted) => {
      if (keysWanted.some((key) => key.at(-1) === "ord_2")) throw unavailable;
    });
    const results = await Promise.allSettled(
      ["ord_1", "ord_2"].map((id) => service.publish(orderOf({ id }))),
    );
    expect(results).toEqual([
      { status: "rejected", reason: unavailable },
      { status: "rejected", reason: unavailable },
    ]);
    expect(commits).toEqual([]);
  });

  it("reject if the worker throws, and leave no promise unhandled", async () => {
    const fault = new Error("the scheduler is gone");
    let offers = 0;
    const { service } = openService({
      worker: {
        delivers: () => true,
        rescan: () => {},
        webhookChanged: () => {},
        offer() {
          offers += 1;
          if (offers === 1) throw fault;
        },
      },
    });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    await service.projects.put("site_1", { account_id: "acc_1" });
    await service.webhooks.create(
      { accountId: "acc_1", credential: { type: "console" } },
      { event: "order.created", target_url: "https://example.com/hook" },
    );
    const results = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, index) => service.publish(orderOf({ id: `ord_${index}` }))),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(offers).toBeGreaterThan(10);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set([fault]));
    expect(refused.length).toBeLessThan(100);
  });

  it("have the same effect as one after the other", async () => {
    const orders = fc.array(
      fc.record({
        id: fc.constantFrom("ord_1", "ord_2", "ord_3", "ord_4"),
        email: fc.constantFrom("ada@example.com", "bob@example.com"),
        phone: fc.constantFrom(null, "+44 20 7946 0001", "+44 20 7946 0002"),
        event: fc.constantFrom("order.created" as const, "order.paid" as const),
        site: fc.constantFrom("site_1", "site_2"),
      }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(orders, orders, async (first, second) => {
        const together = await openShop();
        const inTurn = await openShop();
        for (const { service } of [together, inTurn]) await publishToEachSite(service);
        const answersTogether: PromiseSettledResult<PublishResult>[] = [];
        for (const inputs of [first, second]) {
          const publishing = inputs.map((input) => together.service.publish(orderOf(input)));
          answersTogether.push(...(await Promise.allSettled(publishing)));
        }
        const answersInTurn = [];
        for (const input of [...first, ...second]) {
          answersInTurn.push(...(await Promise.allSettled([inTurn.service.publish(orderOf(input))])));
        }
        const outcome = (answers: typeof answersTogether) =>
          answers.map((answer) =>
            answer.status === "rejected" ? String(answer.reason) : answer.value.duplicate,
          );
        expect(outcome(answersTogether)).toEqual(outcome(answersInTurn));
        // Which of two telephone numbers a contact keeps is undefined: different records have no order.
        const allOf = async ({ readAll }: typeof together) => {
          const { contacts, ...rest } = await readAll();
          return {
            ...rest,
            contacts: contacts.map(({ phone, ...contact }) => ({ ...contact, hasPhone: phone !== null })),
          };
        };
        expect(await allOf(together)).toEqual(await allOf(inTurn));
      }),
      { numRuns: 40 * more },
    );
  });
});
