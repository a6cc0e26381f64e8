import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { toFingerprint } from "../src/rows/credential-rows.ts";
import { keys } from "../src/rows/keys.ts";
import { openService } from "./support/open-service.ts";

const full = {
  code: "invalid_state",
  status: 409,
  message: "The account already has 100 API keys. Revoke one that is not needed first.",
};

async function openAccount(count: number) {
  const opened = openService();
  const { service } = opened;
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    ids.push((await service.apiKeys.create("acc_1", { name: `Key ${number}` })).id);
  }
  const countActive = async (): Promise<number> => {
    const { rows } = await service.apiKeys.list("acc_1", { limit: 1_000 });
    return rows.filter(({ revoked_at: revokedAt }) => revokedAt === null).length;
  };
  return { ...opened, ids, countActive };
}

describe("the API keys of an account", () => {
  it("are limited to a hundred active keys, and each revocation allows one more", async () => {
    const { service, ids, countActive } = await openAccount(100);
    const [first = "", second = ""] = ids;
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    await service.apiKeys.revoke(first);
    await service.apiKeys.revoke(first);
    await service.apiKeys.create("acc_1", { name: "One more" });
    await expect(service.apiKeys.create("acc_1", { name: "Another" })).rejects.toMatchObject(full);
    await service.apiKeys.revoke(second, "acc_1");
    await service.apiKeys.create("acc_1", { name: "Another" });
    expect(await countActive()).toBe(100);
    await service.accounts.put("acc_2", { email: "second@example.com" });
    expect(await service.apiKeys.create("acc_2", { name: "Of another account" })).toMatchObject({
      revoked_at: null,
    });
  });

  it("do not exceed the limit during concurrent requests and revocations", async () => {
    const { service, ids, countActive } = await openAccount(95);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => service.apiKeys.create("acc_1", { name: "At once" })),
      ...ids.slice(0, 3).map((id) => service.apiKeys.revoke(id)),
    ]);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    for (const each of refused) expect(each).toMatchObject({ reason: full });
    // The order of creations and revocations is not fixed.
    expect(refused.length).toBeGreaterThanOrEqual(12);
    expect(refused.length).toBeLessThanOrEqual(15);
    expect(await countActive()).toBe(95 + 20 - refused.length - 3);
    while ((await countActive()) < 100) await service.apiKeys.create("acc_1", { name: "The rest" });
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
  });

  it("are counted without revoked keys if an older version stored no counter", async () => {
    const { service, store, ids, countActive } = await openAccount(100);
    for (const id of ids.slice(0, 2)) await service.apiKeys.revoke(id);
    const counter = keys.apiKeyCount("acc_1");
    for (const first of ["create", "revoke"] as const) {
      await store.commit(counter[0], { mutations: [{ type: "delete", key: counter }] });
      if (first === "create") await service.apiKeys.create("acc_1", { name: "Newer" });
      else await service.apiKeys.revoke(ids[2] ?? "");
    }
    for (let created = 0; created < 2; created++) await service.apiKeys.create("acc_1", { name: "Newer" });
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    expect(await countActive()).toBe(100);
  });

  async function sizeOf(store: Store): Promise<number> {
    const tables = partitions.map((partition) => store.list({ prefix: [partition], limit: 10_000 }));
    return (await Promise.all(tables)).reduce((sum, { length }) => sum + length, 0);
  }

  it("leave no rows if the creation is refused", async () => {
    const { service, store } = await openAccount(100);
    const before = await sizeOf(store);
    for (let number = 0; number < 5; number++) {
      await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    }
    expect(await sizeOf(store)).toBe(before);
  });

  it("leave no rows of refused creations if many parallel requests compete for the last key", async () => {
    const { service, store, ids } = await openAccount(100);
    await service.apiKeys.revoke(ids[0] ?? "");
    const before = await sizeOf(store);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, () => service.apiKeys.create("acc_1", { name: "At once" })),
    );
    const [created, ...others] = outcomes.flatMap((each) =>
      each.status === "fulfilled" ? [each.value] : [],
    );
    expect(others).toEqual([]);
    // The key's row, its fingerprint entry, its directory entry and two of the audit log.
    expect(await sizeOf(store)).toBe(before + 5);
    expect(await service.apiKeys.revoke(created?.id ?? "")).toMatchObject({ revoked: true });
  });

  it("can be revoked if the outcome of their creation is unknown", async () => {
    let failsAfterCommit = false;
    const { service, store } = openService({
      wrap: (inner) => ({
        ...inner,
        async commit(partition, commit) {
          const result = await inner.commit(partition, commit);
          if (failsAfterCommit && commit.mutations.some(({ key }) => key[1] === keys.apiKeyCount("acc_1")[1]))
            throw new Error("no answer");
          return result;
        },
      }),
    });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    failsAfterCommit = true;
    await expect(service.apiKeys.create("acc_1", { name: "Unknown outcome" })).rejects.toThrow("no answer");
    failsAfterCommit = false;
    const [entry] = await store.list({ prefix: keys.apiKeys("acc_1"), limit: 10 });
    expect(await service.apiKeys.revoke(String(entry?.key.at(-1)))).toMatchObject({ revoked: true });
  });

  it("above a thousand are removed with all their entries, the first revoked keys first", async () => {
    const { service, store } = await openAccount(0);
    const kept = await service.apiKeys.create("acc_1", { name: "Active" });
    const rotated = await service.apiKeys.create("acc_1", { name: "Created first, revoked last" });
    const revoked: { readonly id: string; readonly api_key: string }[] = [];
    for (let number = 0; number < 1_002; number++) {
      const key = await service.apiKeys.create("acc_1", { name: `Key ${number}` });
      if (number < 7) await service.authenticate(key.api_key);
      await service.apiKeys.revoke(key.id);
      revoked.push(key);
    }
    const successor = await service.apiKeys.create("acc_1", { name: "Successor" });
    await service.apiKeys.revoke(rotated.id);
    const { rows } = await service.apiKeys.list("acc_1", { limit: 2_000 });
    const remaining = [kept.id, rotated.id, successor.id, ...revoked.slice(5).map(({ id }) => id)];
    expect(rows.map(({ id }) => id).toSorted()).toEqual(remaining.toSorted());
    const readEntries = async ({ id, api_key: key }: (typeof revoked)[number]) =>
      await store.getMany([
        keys.apiKey("acc_1", id),
        keys.apiKeyUse("acc_1", id),
        keys.directory("api-key", id),
        keys.keyFingerprint(toFingerprint(key)),
      ]);
    for (const key of revoked.slice(0, 5))
      expect(await readEntries(key)).toEqual([undefined, undefined, undefined, undefined]);
    for (const key of revoked.slice(5, 7)) expect(await readEntries(key)).not.toContain(undefined);
    for (const { api_key: key } of revoked.slice(3, 7))
      await expect(service.authenticate(key)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await service.authenticate(kept.api_key)).toMatchObject({ accountId: "acc_1" });
    await expect(service.apiKeys.revoke(revoked[0]?.id ?? "")).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});
