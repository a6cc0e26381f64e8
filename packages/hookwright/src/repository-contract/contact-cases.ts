import { deepEqual, equal, rejects } from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { readPages, repositoryCase } from "./contract-case.ts";
import type { RepositoryContractCase, Shop } from "./contract-case.ts";
import { unknownIds } from "./unknown-ids.ts";

const ada = "ada@example.com";
const names = ["ada", "bob", "cleo", "dora", "emil"];

/**
 * Creates one contact per name, on alternating sites and in different milliseconds, because a database may sort by
 * time.
 */
async function writeContacts({ hookwright, accountId, sites }: Shop): Promise<void> {
  for (const [index, name] of names.entries()) {
    const project_id = sites[index % 2] ?? sites[0];
    for (const now = Date.now(); Date.now() === now;) await setTimeout(1);
    await hookwright.contacts.write(accountId, { project_id, email: `${name}@example.com`, name });
  }
}

export const contactCases: readonly RepositoryContractCase[] = [
  repositoryCase("contacts", "a created contact can be read unchanged", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const { contact, created } = await hookwright.contacts.write(accountId, {
      project_id: sites[0],
      email: ada,
      name: "Ada Lovelace",
      phone: "+44 20 7946 0000",
      notes: "Prefers e-mail.",
      tags: ["vip", "fair"],
    });
    equal(created, true, "created");
    deepEqual(await hookwright.contacts.get(accountId, contact.id), contact);
    deepEqual((await hookwright.contacts.list(accountId, {}, { limit: 25 })).rows, [contact]);
  }),

  repositoryCase("contacts", "a second write of the same contact updates it", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const [project_id] = sites;
    const first = await hookwright.contacts.write(accountId, {
      project_id,
      email: ada,
      name: "Ada",
      tags: ["a"],
    });
    const input = { project_id, email: "ADA@example.com", notes: "VIP", tags: ["b", "a"] };
    const { contact, created } = await hookwright.contacts.write(accountId, input);
    equal(created, false, "created");
    const { updated_at, ...merged } = contact;
    const { updated_at: _, ...before } = first.contact;
    deepEqual(merged, { ...before, notes: "VIP", tags: ["a", "b"] });
    deepEqual(await hookwright.contacts.get(accountId, contact.id), { ...merged, updated_at });
  }),

  repositoryCase("contacts", "the same address on two sites belongs to two contacts", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const ids = await Promise.all(
      sites.map(async (project_id) => {
        const { contact, created } = await hookwright.contacts.write(accountId, { project_id, email: ada });
        equal(created, true, "created");
        return contact.id;
      }),
    );
    equal(new Set(ids).size, 2, "contacts");
    const { rows } = await hookwright.contacts.list(accountId, { email: ada }, { limit: 25 });
    deepEqual(rows.map(({ project_id }) => project_id).toSorted(), sites.toSorted());
  }),

  repositoryCase("contacts", "concurrent writes of one address create one contact", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const [project_id] = sites;
    const tags = Array.from({ length: 10 }, (_, index) => `tag-${index}`);
    const written = await Promise.all(
      tags.map((tag) => hookwright.contacts.write(accountId, { project_id, email: ada, tags: [tag] })),
    );
    equal(written.filter(({ created }) => created).length, 1, "number of created contacts");
    const { rows } = await hookwright.contacts.list(accountId, {}, { limit: 25 });
    equal(rows.length, 1, "contacts");
    deepEqual(rows[0]?.tags.toSorted(), tags, "all tags are stored");
  }),

  repositoryCase(
    "contacts",
    "a merge that throws changes nothing, and the caller gets its error",
    async (shop) => {
      const { hookwright, accountId, sites } = shop;
      const [project_id] = sites;
      const tagsOf = (from: number): string[] => Array.from({ length: 100 }, (_, index) => `${from + index}`);
      for (let from = 0; from < 1_000; from += 100)
        await hookwright.contacts.write(accountId, { project_id, email: ada, tags: tagsOf(from) });
      const input = { project_id, email: ada, name: "Ada", tags: ["one more"] };
      await rejects(hookwright.contacts.write(accountId, input), { code: "validation_failed" });
      const { rows } = await hookwright.contacts.list(accountId, {}, { limit: 25 });
      deepEqual([rows[0]?.name, rows[0]?.tags.length], [null, 1_000]);
    },
  ),

  repositoryCase(
    "contacts",
    "contacts are listed newest first, each once, with every page size",
    async (shop) => {
      await writeContacts(shop);
      const { hookwright, accountId } = shop;
      for (const limit of [1, 2, 5, 25]) {
        const rows = await readPages((page) => hookwright.contacts.list(accountId, {}, page), limit);
        deepEqual(
          rows.map(({ name }) => name),
          names.toReversed(),
          `in pages of ${limit}`,
        );
      }
    },
  ),

  repositoryCase("contacts", "contacts are filtered by site and by exact address", async (shop) => {
    await writeContacts(shop);
    const { hookwright, accountId, sites } = shop;
    const find = async (filters: { readonly project_id?: string; readonly email?: string }) =>
      (await hookwright.contacts.list(accountId, filters, { limit: 25 })).rows.map(({ name }) => name);
    deepEqual(await find({ project_id: sites[0] }), ["emil", "cleo", "ada"]);
    deepEqual(await find({ email: "Bob@example.com" }), ["bob"]);
    deepEqual(await find({ project_id: sites[1], email: "bob@example.com" }), ["bob"]);
    deepEqual(await find({ project_id: sites[0], email: "bob@example.com" }), []);
    deepEqual(await find({ email: "%@example.com" }), [], "wildcard characters in a filter match literally");
  }),

  repositoryCase("contacts", "contacts are visible only to their own account", async (shop) => {
    const { hookwright, accountId, sites, otherAccountId, otherSite } = shop;
    const written = { project_id: sites[0], email: ada };
    const { contact } = await hookwright.contacts.write(accountId, written);
    await rejects(hookwright.contacts.get(otherAccountId, contact.id), { code: "resource_not_found" });
    deepEqual((await hookwright.contacts.list(otherAccountId, { email: ada }, { limit: 25 })).rows, []);
    const other = { project_id: otherSite, email: ada };
    equal((await hookwright.contacts.write(otherAccountId, other)).created, true, "created");
  }),

  repositoryCase("contacts", "ids are case-sensitive", async (shop) => {
    const { hookwright, accountId, sites } = shop;
    const { contact } = await hookwright.contacts.write(accountId, { project_id: sites[0], email: ada });
    for (const id of [`0${contact.id}`, `${contact.id}.0`, `${contact.id}x`, `+${contact.id}`])
      await rejects(hookwright.contacts.get(accountId, id), { code: "resource_not_found" });
  }),

  repositoryCase("contacts", "an unknown id of any form is not found", async (shop) => {
    for (const id of unknownIds)
      await rejects(shop.hookwright.contacts.get(shop.accountId, id), { code: "resource_not_found" });
  }),
];
