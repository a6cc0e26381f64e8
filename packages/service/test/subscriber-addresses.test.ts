import { eventCatalogue } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import fc from "fast-check";
import { expect, it } from "vitest";
import { subscriberOf } from "../src/rows/subscriber-addresses.ts";
import { parseRecordRow } from "../src/rows/record-row.ts";
import type { PublishInput } from "@hookwright/domain";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

async function openSite(wrap: (store: Store) => Store = (store) => store) {
  const opened = openService({ wrap });
  await opened.service.accounts.put("acc_1", { email: "owner@example.com" });
  await opened.service.projects.put("site_1", { account_id: "acc_1", name: "Letters" });
  return opened;
}

function subscriberRecord(id: string, email: string): PublishInput {
  const { sampleData } = eventCatalogue["subscriber.created"];
  return { event: "subscriber.created", project_id: "site_1", data: { ...sampleData, id, email } };
}

async function subscribe(service: Service, email: string) {
  const { subscriber, created } = await service.subscribers.subscribe("acc_1", {
    project_id: "site_1",
    email,
  });
  return { id: subscriber.id, email: subscriber.email, created };
}

it("the old address of a changed record is free", async () => {
  const { service } = await openSite();
  await service.publish(subscriberRecord("s1", "old@example.com"));
  await service.publish(subscriberRecord("s1", "new@example.com"));
  expect(await subscribe(service, "new@example.com")).toEqual({
    id: "s1",
    email: "new@example.com",
    created: false,
  });
  expect(await subscribe(service, "old@example.com")).toMatchObject({
    email: "old@example.com",
    created: true,
  });
});

it("if a subscriber is removed, another record with the same address becomes the subscriber", async () => {
  const { service } = await openSite();
  for (const id of ["s1", "s2", "s3"]) await service.publish(subscriberRecord(id, "ada@example.com"));
  expect(await subscribe(service, "ada@example.com")).toMatchObject({ id: "s1", created: false });
  await service.records.remove("acc_1", "subscribers", "s2");
  expect(await subscribe(service, "ada@example.com")).toMatchObject({ id: "s1", created: false });
  await service.records.remove("acc_1", "subscribers", "s1");
  expect(await subscribe(service, "ada@example.com")).toMatchObject({ id: "s3", created: false });
  await service.records.remove("acc_1", "subscribers", "s3");
  expect(await subscribe(service, "ada@example.com")).toMatchObject({ created: true });
});

it.each([
  ["is removed", (service: Service) => service.records.remove("acc_1", "subscribers", "s1")],
  ["gets another address", (service: Service) => service.publish(subscriberRecord("s1", "new@example.com"))],
  [
    "moves to another site",
    async (service: Service) => {
      await service.projects.put("site_2", { account_id: "acc_1", name: "Another" });
      await service.records.remove("acc_1", "subscribers", "s1");
      await service.publish({ ...subscriberRecord("s1", "old@example.com"), project_id: "site_2" });
    },
  ],
])("subscribing an address creates a subscriber if the old one %s meanwhile", async (_, change) => {
  let beforeRecordRead: (() => Promise<unknown>) | undefined;
  const { service } = await openSite((store) => ({
    ...store,
    async get(key) {
      const act = key[1] === "record" ? beforeRecordRead : undefined;
      if (act !== undefined) {
        beforeRecordRead = undefined;
        await act();
      }
      return store.get(key);
    },
  }));
  await service.publish(subscriberRecord("s1", "old@example.com"));
  beforeRecordRead = () => change(service);
  expect(await subscribe(service, "old@example.com")).toMatchObject({
    email: "old@example.com",
    created: true,
  });
});

it("a record that replaces the next candidate during a removal becomes the subscriber", async () => {
  let afterList: (() => Promise<unknown>) | undefined;
  const { service, store } = await openSite((inner) => ({
    ...inner,
    async list(options) {
      const entries = await inner.list(options);
      const act = options.prefix[1] === "subscribers-of-email" ? afterList : undefined;
      if (act !== undefined) afterList = undefined;
      await act?.();
      return entries;
    },
  }));
  for (const id of ["a", "b"]) await service.publish(subscriberRecord(id, "ada@example.com"));
  afterList = async () => {
    await service.records.remove("acc_1", "subscribers", "b");
    await service.publish(subscriberRecord("c", "ada@example.com"));
  };
  await service.records.remove("acc_1", "subscribers", "a");
  expect(await subscribe(service, "ada@example.com")).toMatchObject({ id: "c", created: false });
  await expectConsistent(store);
});

/** Every address of a record has an entry with a record of that address, and the other records are listed and counted. */
async function expectConsistent(store: Store): Promise<void> {
  const list = (kind: string) => store.list({ prefix: [partitionOf("acc_1"), kind, "acc_1"], limit: 1_000 });
  const idsOf = new Map<string, string[]>();
  for (const { key, value } of await list("record")) {
    const { email } = parseRecordRow(value).head;
    idsOf.set(email, [...(idsOf.get(email) ?? []), String(key.at(-1))]);
  }
  const entries = await list("subscriber-of-email");
  expect(entries.map(({ key }) => key.at(-1)).toSorted()).toEqual([...idsOf.keys()].toSorted());
  const others = (await list("subscribers-of-email")).map(({ key }) => key.slice(-2).join(" "));
  const expected: string[] = [];
  for (const { key, value } of entries) {
    const email = String(key.at(-1));
    const rest = (idsOf.get(email) ?? []).filter((id) => id !== subscriberOf(value));
    expect(rest).toHaveLength((idsOf.get(email)?.length ?? 0) - 1);
    expect(Number(value.split(" ")[1] ?? 0)).toBe(rest.length);
    expected.push(...rest.map((id) => `${email} ${id}`));
  }
  expect(others.toSorted()).toEqual(expected.toSorted());
}

it("address entries stay consistent with records during concurrent changes", async () => {
  const id = fc.constantFrom("s1", "s2", "s3");
  const email = fc.constantFrom("ada@example.com", "bob@example.com");
  const change = fc.oneof(
    fc.record({ type: fc.constant("publish" as const), id, email }),
    fc.record({ type: fc.constant("remove" as const), id }),
    fc.record({ type: fc.constant("subscribe" as const), email }),
    fc.record({ type: fc.constant("put" as const), email }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 4 }), async (rounds) => {
      const { service, store } = await openSite();
      for (const changes of rounds) {
        const results = await Promise.allSettled(
          changes.map(async (one) => {
            if (one.type === "publish") await service.publish(subscriberRecord(one.id, one.email));
            else if (one.type === "remove") await service.records.remove("acc_1", "subscribers", one.id);
            else if (one.type === "put") await service.subscribers.put("site_1", one.email, {});
            else expect((await subscribe(service, one.email)).email).toBe(one.email);
          }),
        );
        for (const result of results)
          if (result.status === "rejected")
            expect(result.reason).toMatchObject({ code: "resource_not_found" });
        await expectConsistent(store);
      }
    }),
    { numRuns: 300 },
  );
});
