import { blankFields, eventCatalogue } from "@hookwright/domain";
import { partitionOf } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseContactEntry, parseContactRow } from "../src/rows/contact-row.ts";
import { keys } from "../src/rows/keys.ts";
import type { PublishInput } from "@hookwright/domain";
import { openService } from "./support/open-service.ts";

const email = "ada@example.com";

async function openShop(options: { readonly now?: () => number } = {}) {
  const read: Key[] = [];
  const opened = openService({
    ...options,
    wrap: (store) => ({
      ...store,
      get(key) {
        read.push(key);
        return store.get(key);
      },
    }),
  });
  await opened.service.accounts.put("acc_1", { email: "owner@example.com" });
  await opened.service.projects.put("site_1", { account_id: "acc_1", name: "Shop" });
  return { ...opened, contactsRead: () => read.splice(0).filter(([, kind]) => kind === "contact").length };
}

let orders = 0;
function orderOf(customer: { readonly name: string; readonly phone: string | null }): PublishInput {
  const { sampleData } = eventCatalogue["order.created"];
  return {
    event: "order.created",
    project_id: "site_1",
    data: { ...sampleData, id: `ord_${++orders}`, customer: { ...customer, email } },
  };
}

it("a customer's contact is read only if the record can fill a blank field", async () => {
  const { service, store, contactsRead } = await openShop();
  const phoneOf = async () => {
    const [row] = await store.list({ prefix: keys.contacts("acc_1"), limit: 10 });
    return parseContactRow(row?.value ?? "").phone;
  };
  await service.publish(orderOf({ name: "Ada", phone: null }));
  await service.publish(orderOf({ name: "Ada Lovelace", phone: null }));
  expect(contactsRead()).toBe(0);
  await service.publish(orderOf({ name: "Ada", phone: "+44 1" }));
  expect(contactsRead()).toBe(1);
  expect(await phoneOf()).toBe("+44 1");
  await service.publish(orderOf({ name: "Ada", phone: "+44 2" }));
  expect(contactsRead()).toBe(0);
  expect(await phoneOf()).toBe("+44 1");
});

it("`updated_at` of a contact changes only if a field changes", async () => {
  const start = Date.UTC(2026, 10, 20, 9, 30);
  let minute = 0;
  const { service } = await openShop({ now: () => start + minute * 60_000 });
  const write = (fields: object) =>
    service.contacts.write("acc_1", { project_id: "site_1", email, ...fields });
  const { contact } = await write({ name: "Ada", tags: ["vip"] });
  const changes: [() => Promise<unknown>, changedAt: number][] = [
    [() => write({ name: "Ada", tags: ["vip"] }), 0],
    [() => write({ name: "Ada Lovelace" }), 2],
    [() => service.publish(orderOf({ name: "Grace", phone: null })), 2],
    [() => service.publish(orderOf({ name: "Grace", phone: "+44 1" })), 4],
    [() => write({ tags: ["vip", "gold"] }), 5],
  ];
  for (const [change, changedAt] of changes) {
    minute += 1;
    await change();
    expect(await service.contacts.get("acc_1", contact.id)).toMatchObject({
      created_at: "2026-11-20T09:30:00Z",
      updated_at: `2026-11-20T09:3${changedAt}:00Z`,
    });
  }
});

it("the entry by address lists the blank fields of the contact after any writes", async () => {
  const text = fc.constantFrom("Ada", "Grace", "+44 1", "+44 2");
  const blankOr = fc.option(text, { nil: null });
  const change = fc.oneof(
    fc.record({ type: fc.constant("write"), name: blankOr, phone: blankOr }),
    fc.record({ type: fc.constant("record"), name: text, phone: blankOr }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.boolean(), async (changes, together) => {
      const { service, store } = await openShop();
      const writes = changes.map(({ type, name, phone }) => () => {
        if (type === "write")
          return service.contacts.write("acc_1", { project_id: "site_1", email, name, phone });
        return service.publish(orderOf({ name: name ?? "", phone }));
      });
      if (together) await Promise.all(writes.map((write) => write()));
      else for (const write of writes) await write();
      const rows = await store.list({ prefix: keys.contacts("acc_1"), limit: 10 });
      const entries = await store.list({
        prefix: [partitionOf("acc_1"), "contact-of-email", "acc_1"],
        limit: 10,
      });
      expect(entries.map(({ value }) => parseContactEntry(value))).toEqual(
        rows
          .map(({ value }) => parseContactRow(value))
          .map((row) => ({ id: row.id, blank: blankFields(row) })),
      );
      expect(rows).toHaveLength(Math.min(changes.length, 1));
    }),
  );
});
