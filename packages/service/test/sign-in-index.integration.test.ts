import { randomBytes } from "node:crypto";
import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { more } from "../../../scripts/test/support/seed.ts";
import { createSignInIndex } from "../src/sign-in/sign-in-index.ts";
import { findSignIns } from "../src/sign-in/sign-in-index.ts";
import { keys } from "../src/rows/keys.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();

const email = "owner@example.com";
const password = "correct horse battery";

async function entriesOf(store: Store, address: string): Promise<unknown[]> {
  const entries = await store.list({ prefix: keys.accountsOfEmail(address), limit: 1_000 });
  return entries.map(({ key }) => key.at(-1));
}

/** A store in which some commits fail, as if the process died before them. */
function failing(fails: (commit: Commit) => boolean): (store: Store) => Store {
  return (store) => ({
    ...store,
    commit: async (partition, commit) => {
      if (fails(commit)) throw new Error("the process died");
      return store.commit(partition, commit);
    },
  });
}

const removesAnEntry = ({ mutations }: Commit): boolean =>
  mutations.some(({ type, key }) => type === "delete" && key[1] === "account-of-email");

describe("the sign-in index", () => {
  it("contains an account only under its current address", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email, password });
    await service.accounts.put("acc_1", { email: "new@example.com" });
    expect(await entriesOf(store, email)).toEqual([]);
    expect(await entriesOf(store, "new@example.com")).toEqual(["acc_1"]);
    expect((await service.sessions.create({ email: "new@example.com", password })).account.id).toBe("acc_1");
  });

  it("contains an account only if it has a password", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email });
    expect(await entriesOf(store, email)).toEqual([]);
    await service.accounts.put("acc_1", { password });
    expect(await entriesOf(store, email)).toEqual(["acc_1"]);
    expect((await service.sessions.create({ email, password })).account.id).toBe("acc_1");
  });

  it("is not written if the address does not change", async () => {
    const written: unknown[] = [];
    const { service } = openService({
      wrap: failing(({ mutations }) => {
        written.push(...mutations.map(({ key }) => key[1]));
        return false;
      }),
    });
    await service.accounts.put("acc_1", { email, password });
    written.length = 0;
    await service.accounts.put("acc_1", { name: "Bakery", email, password: "another password" });
    expect(written).toEqual(["account", "account-password", "audit-log", "audit"]);
  });

  it("keeps a change of address if the old entry cannot be removed, and removes it at the next sign-in", async () => {
    let died = true;
    const { service, store, errors } = openService({
      wrap: failing((commit) => died && removesAnEntry(commit)),
    });
    await service.accounts.put("acc_1", { email, password });
    const { account } = await service.accounts.put("acc_1", { email: "new@example.com" });
    expect(account.email).toBe("new@example.com");
    expect(errors).toHaveLength(1);
    expect(await entriesOf(store, email)).toEqual(["acc_1"]);
    died = false;
    await expect(service.sessions.create({ email, password })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    expect(await entriesOf(store, email)).toEqual([]);
    expect((await service.sessions.create({ email: "new@example.com", password })).account.id).toBe("acc_1");
  });

  it("does not prevent a sign-in when a stale entry of another account cannot be removed", async () => {
    const { service, errors } = openService({ wrap: failing(removesAnEntry) });
    await service.accounts.put("acc_1", { email, password: "of the first" });
    await service.accounts.put("acc_1", { email: "new@example.com" });
    await service.accounts.put("acc_2", { email, password });
    expect((await service.sessions.create({ email, password })).account.id).toBe("acc_2");
    expect(errors).toHaveLength(2);
  });

  it("finds an account after a hundred stale entries, and does not count them", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_z", { email, password });
    for (let index = 100; index < 200; index++) {
      const id = `acc_${index}`;
      // Half of the entries are left by a crash, half by an older version for accounts without a password.
      await service.accounts.put(id, { email: index % 2 === 0 ? email : "elsewhere@example.com" });
      const key = keys.accountOfEmail(email, id);
      await store.commit(key[0], { mutations: [{ type: "set", key, value: "" }] });
    }
    expect((await service.sessions.create({ email, password })).account.id).toBe("acc_z");
    expect((await entriesOf(store, email)).length).toBeLessThan(101);
  });

  it("keeps an entry whose account does not exist yet", async () => {
    const { service, store } = openService();
    const key = keys.accountOfEmail(email, "acc_1");
    await store.commit(key[0], { mutations: [{ type: "set", key, value: "" }] });
    await expect(service.sessions.create({ email, password })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    expect(await entriesOf(store, email)).toEqual(["acc_1"]);
  });

  it("refuses a ninth account with the same address", async () => {
    const { service } = openService();
    for (let number = 1; number <= 8; number++)
      await service.accounts.put(`acc_${number}`, { email, password });
    const refused = {
      code: "validation_failed",
      status: 422,
      message:
        "email: 8 accounts with a password already have this address; use another address for this account",
    };
    await expect(service.accounts.put("acc_9", { email, password })).rejects.toMatchObject(refused);
    await expect(service.accounts.get("acc_9")).rejects.toMatchObject({ code: "resource_not_found" });
    await service.accounts.put("acc_9", { email: "ninth@example.com", password });
    await expect(service.accounts.put("acc_9", { email })).rejects.toMatchObject(refused);
    expect((await service.accounts.get("acc_9")).email).toBe("ninth@example.com");
    // An account without a password is not counted.
    await service.accounts.put("acc_10", { email });
    await expect(service.accounts.put("acc_10", { password })).rejects.toMatchObject(refused);
    // Accounts that already have the address may change their other fields.
    await service.accounts.put("acc_8", { email, password: "another password" });
    await service.accounts.put("acc_1", { email: "first@example.com" });
    expect((await service.accounts.put("acc_9", { email })).account.email).toBe(email);
  });

  it("accepts only eight of many parallel accounts with the same address", async () => {
    const store = memoryStore();
    const processes = [openService({ store }).service, openService({ store }).service];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 14 }, (_, number) =>
        processes[number % 2]?.accounts.put(`acc_${number}`, { email, password }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    const { candidates } = await findSignIns(store, email);
    expect(candidates).toHaveLength(8);
  });

  it("does not count an entry that a crash left more than a minute ago", async () => {
    let time = Date.now();
    const { service, store } = openService({ now: () => time });
    for (let number = 1; number <= 7; number++)
      await service.accounts.put(`acc_${number}`, { email, password });
    let died = true;
    const dying = openService({
      store,
      now: () => time,
      wrap: failing(({ mutations }) => died && mutations.some(({ key }) => key[1] === "account")),
    });
    await expect(dying.service.accounts.put("acc_8", { email, password })).rejects.toThrow(
      "the process died",
    );
    died = false;
    await expect(service.accounts.put("acc_9", { email, password })).rejects.toMatchObject({
      code: "validation_failed",
    });
    time += 60_000;
    expect((await service.accounts.put("acc_9", { email, password })).created).toBe(true);
  });

  it(
    "contains every account under its address after interleaved and interrupted changes and removals",
    { timeout: 160_000 },
    async () => {
      const addresses = ["a@example.com", "b@example.com", "c@example.com"];
      const address = fc.constantFrom(...addresses);
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          fc.array(fc.record({ address, removesStale: fc.boolean() }), { minLength: 2, maxLength: 6 }),
          fc.array(fc.boolean(), { maxLength: 12 }),
          async (scheduler, steps, deaths) => {
            const store = memoryStore();
            const key = keys.accountPassword("acc_1");
            await store.commit(key[0], { mutations: [{ type: "set", key, value: "a hash" }] });
            await openService({ store }).service.accounts.put("acc_1", { email: "a@example.com" });
            let commits = 0;
            const scheduled: Store = {
              ...store,
              get: async (...sought) => (await scheduler.schedule(Promise.resolve()), store.get(...sought)),
              getMany: async (...sought) => (
                await scheduler.schedule(Promise.resolve()),
                store.getMany(...sought)
              ),
              list: async (...sought) => (await scheduler.schedule(Promise.resolve()), store.list(...sought)),
              commit: async (...commit) => {
                await scheduler.schedule(Promise.resolve());
                if (deaths[commits++] === true) throw new Error("the process died");
                return store.commit(...commit);
              },
            };
            const { service } = openService({ store: scheduled });
            const index = createSignInIndex({ store: scheduled, randomBytes, now: Date.now });
            const removeStaleOf = async (sought: string): Promise<void> => {
              const { stale } = await findSignIns(scheduled, sought);
              for (const each of stale) await index.removeStale(each);
            };
            const all = Promise.allSettled(
              steps.map((step) =>
                step.removesStale
                  ? removeStaleOf(step.address)
                  : service.accounts.put("acc_1", { email: step.address }),
              ),
            );
            await scheduler.waitFor(all);
            const { email: current } = await openService({ store }).service.accounts.get("acc_1");
            expect(await entriesOf(store, current)).toEqual(["acc_1"]);
          },
        ),
        { numRuns: 750 * more },
      );
    },
  );
});
