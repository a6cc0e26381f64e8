import { partitions } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { describe, expect, it } from "vitest";
import { toFingerprint } from "../src/rows/fingerprint.ts";
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
  const inForce = async (): Promise<number> => {
    const { rows } = await service.apiKeys.list("acc_1", { limit: 1_000 });
    return rows.filter(({ revoked_at: revokedAt }) => revokedAt === null).length;
  };
  return { ...opened, ids, inForce };
}

describe("the keys of an account", () => {
  it("are at most a hundred that are not revoked, and revoking makes room once", async () => {
    const { service, ids, inForce } = await openAccount(100);
    const [first = "", second = ""] = ids;
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    await service.apiKeys.revoke(first);
    await service.apiKeys.revoke(first);
    await service.apiKeys.create("acc_1", { name: "One more" });
    await expect(service.apiKeys.create("acc_1", { name: "Another" })).rejects.toMatchObject(full);
    await service.apiKeys.revoke(second, "acc_1");
    await service.apiKeys.create("acc_1", { name: "Another" });
    expect(await inForce()).toBe(100);
    await service.accounts.put("acc_2", { email: "second@example.com" });
    expect(await service.apiKeys.create("acc_2", { name: "Of another account" })).toMatchObject({
      revoked_at: null,
    });
  });

  it("do not pass the limit when many are asked for at once, nor while others are revoked", async () => {
    const { service, ids, inForce } = await openAccount(95);
    const asked = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => service.apiKeys.create("acc_1", { name: "At once" })),
      ...ids.slice(0, 3).map((id) => service.apiKeys.revoke(id)),
    ]);
    const refused = asked.filter(({ status }) => status === "rejected");
    for (const each of refused) expect(each).toMatchObject({ reason: full });
    // How many of the three places came free in time depends on who was first.
    expect(refused.length).toBeGreaterThanOrEqual(12);
    expect(refused.length).toBeLessThanOrEqual(15);
    expect(await inForce()).toBe(95 + 20 - refused.length - 3);
    while ((await inForce()) < 100) await service.apiKeys.create("acc_1", { name: "The rest" });
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
  });

  it("that are older than the counter are counted, without the revoked ones", async () => {
    const { service, store, ids, inForce } = await openAccount(100);
    for (const id of ids.slice(0, 2)) await service.apiKeys.revoke(id);
    const counter = keys.apiKeyCount("acc_1");
    for (const first of ["create", "revoke"] as const) {
      await store.commit(counter[0], { mutations: [{ type: "delete", key: counter }] });
      if (first === "create") await service.apiKeys.create("acc_1", { name: "Newer" });
      else await service.apiKeys.revoke(ids[2] ?? "");
    }
    for (let room = 0; room < 2; room++) await service.apiKeys.create("acc_1", { name: "Newer" });
    await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    expect(await inForce()).toBe(100);
  });

  async function sizeOf(store: Store): Promise<number> {
    const tables = partitions.map((partition) => store.list({ prefix: [partition], limit: 10_000 }));
    return (await Promise.all(tables)).reduce((sum, { length }) => sum + length, 0);
  }

  it("that were refused leave nothing behind", async () => {
    const { service, store } = await openAccount(100);
    const before = await sizeOf(store);
    for (let number = 0; number < 5; number++) {
      await expect(service.apiKeys.create("acc_1", { name: "One more" })).rejects.toMatchObject(full);
    }
    expect(await sizeOf(store)).toBe(before);
  });

  it("that were refused leave nothing behind where many asked at once for the last place", async () => {
    const { service, store, ids } = await openAccount(100);
    await service.apiKeys.revoke(ids[0] ?? "");
    const before = await sizeOf(store);
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, () => service.apiKeys.create("acc_1", { name: "At once" })),
    );
    const [made, ...others] = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(others).toEqual([]);
    // Its row, its fingerprint, and what it is found by.
    expect(await sizeOf(store)).toBe(before + 3);
    expect(await service.apiKeys.revoke(made?.id ?? "")).toMatchObject({ revoked: true });
  });

  it("that may have been made, for all the store could tell, can be found and revoked", async () => {
    let isAway = false;
    const { service, store } = openService({
      wrap: (inner) => ({
        ...inner,
        async commit(partition, commit) {
          const result = await inner.commit(partition, commit);
          if (isAway && commit.mutations.some(({ key }) => key[1] === keys.apiKeyCount("acc_1")[1]))
            throw new Error("no answer");
          return result;
        },
      }),
    });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    isAway = true;
    await expect(service.apiKeys.create("acc_1", { name: "In doubt" })).rejects.toThrow("no answer");
    isAway = false;
    const [entry] = await store.list({ prefix: keys.apiKeys("acc_1"), limit: 10 });
    expect(await service.apiKeys.revoke(String(entry?.key.at(-1)))).toMatchObject({ revoked: true });
  });

  it("that are revoked are forgotten, whoever was revoked first, with all that leads to them, beyond a thousand", async () => {
    const { service, store } = await openAccount(0);
    const kept = await service.apiKeys.create("acc_1", { name: "In force" });
    const rotated = await service.apiKeys.create("acc_1", { name: "Made first, revoked last" });
    const revoked: { readonly id: string; readonly api_key: string }[] = [];
    for (let number = 0; number < 1_002; number++) {
      const key = await service.apiKeys.create("acc_1", { name: `Key ${number}` });
      if (number < 7) await service.authenticate(key.api_key);
      await service.apiKeys.revoke(key.id);
      revoked.push(key);
    }
    const successor = await service.apiKeys.create("acc_1", { name: "In its place" });
    await service.apiKeys.revoke(rotated.id);
    const { rows } = await service.apiKeys.list("acc_1", { limit: 2_000 });
    const left = [kept.id, rotated.id, successor.id, ...revoked.slice(5).map(({ id }) => id)];
    expect(rows.map(({ id }) => id).toSorted()).toEqual(left.toSorted());
    const leftovers = async ({ id, api_key: key }: (typeof revoked)[number]) =>
      await store.getMany([
        keys.apiKey("acc_1", id),
        keys.apiKeyUse("acc_1", id),
        keys.directory("api-key", id),
        keys.keyFingerprint(toFingerprint(key)),
      ]);
    for (const key of revoked.slice(0, 5))
      expect(await leftovers(key)).toEqual([undefined, undefined, undefined, undefined]);
    for (const key of revoked.slice(5, 7)) expect(await leftovers(key)).not.toContain(undefined);
    for (const { api_key: key } of revoked.slice(3, 7))
      await expect(service.authenticate(key)).rejects.toMatchObject({ code: "invalid_api_key" });
    expect(await service.authenticate(kept.api_key)).toMatchObject({ accountId: "acc_1" });
    await expect(service.apiKeys.revoke(revoked[0]?.id ?? "")).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });
});
