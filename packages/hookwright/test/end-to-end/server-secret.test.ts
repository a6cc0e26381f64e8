import { createServerKeys } from "@hookwright/service";
import { partitionOf } from "@hookwright/storage";
import type { Key, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { createHookwright } from "../../src/create-hookwright.ts";
import { ConfigurationError } from "@hookwright/domain";
import type { Role } from "../../src/options/options.ts";
import { storages } from "./support/storages.ts";
import { openBakery, secret } from "../support/bakery.ts";

const otherSecret = "another secret of 32 characters!";
const checkKey: Key = ["p00", "server-secret-check"];
const roles: readonly Role[] = ["all", "api", "worker"];

/** Starts and closes a Hookwright. Returns the error. */
async function refusalOf(store: Store, withSecret: string, role: Role = "all"): Promise<unknown> {
  try {
    await using _ = await createHookwright({ store, secret: withSecret, role });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Writes data with a stored signing secret. */
async function fill(store: Store): Promise<void> {
  await using hookwright = await createHookwright({ store, secret, role: "api" });
  await openBakery(hookwright, "https://hooks.example.com");
}

/** Removes the check value, as in data of an earlier version. */
async function removeCheckValue(store: Store): Promise<void> {
  await store.commit(checkKey[0], { mutations: [{ type: "delete", key: checkKey }] });
}

async function storeSigningSecret(store: Store, accountId: string, sealedWith: string): Promise<void> {
  const key: Key = [partitionOf(accountId), "signing-secret", accountId, "wh_1"];
  const current = await createServerKeys({ store, secret: sealedWith }).seal("whsec_1", "wh_1");
  const value = JSON.stringify({ webhook_id: "wh_1", current, pending: null });
  await store.commit(partitionOf(accountId), { mutations: [{ type: "set", key, value }] });
}

const refused = expect.objectContaining({
  code: "invalid_option",
  option: "secret",
  message:
    "secret: is not the secret that the data in this store was written with, so the stored signing secrets cannot be decrypted. Start with the original secret, or use an empty store",
});

describe.each(storages)("on $name, the server secret", (storage) => {
  it("is checked at start-up in every role", async () => {
    const { store, close } = await storage.open(Date.now);
    expect(await refusalOf(store, secret)).toBeUndefined();
    for (const role of roles) {
      expect(await refusalOf(store, otherSecret, role)).toEqual(refused);
      expect(await refusalOf(store, secret, role)).toBeUndefined();
    }
    await close();
  });

  it("is checked with a stored signing secret if the data has no check value", async () => {
    const { store, close } = await storage.open(Date.now);
    await fill(store);
    await removeCheckValue(store);
    expect(await refusalOf(store, otherSecret)).toEqual(refused);
    expect(await store.get(checkKey)).toBeUndefined();
    expect(await refusalOf(store, secret)).toBeUndefined();
    expect(await store.get(checkKey)).toBeDefined();
    expect(await refusalOf(store, otherSecret)).toEqual(refused);
    await close();
  });

  it("is the same for all processes that start concurrently on an empty store", async () => {
    const { store, close } = await storage.open(Date.now);
    const starts = await Promise.all([
      refusalOf(store, secret, "api"),
      refusalOf(store, secret, "worker"),
      refusalOf(store, secret, "all"),
    ]);
    expect(starts).toEqual([undefined, undefined, undefined]);
    await close();
  });

  it("of the first process counts if two start concurrently with different secrets on an empty store", async () => {
    const { store, close } = await storage.open(Date.now);
    const starts = await Promise.all([refusalOf(store, secret), refusalOf(store, otherSecret)]);
    expect(starts.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(starts).toContainEqual(refused);
    await close();
  });
});

describe("the server secret", () => {
  it("is not in the check value, which is encrypted differently in each store", async () => {
    const values = await Promise.all(
      [memoryStore(), memoryStore()].map(async (store) => {
        await refusalOf(store, secret);
        return store.get(checkKey);
      }),
    );
    expect(values[0]).not.toBe(values[1]);
    for (const value of values) {
      expect(JSON.parse(value ?? "")).toEqual({ version: 1, sealed: expect.any(String) });
      expect(value).not.toContain(secret);
    }
  });

  it("is accepted if the data has neither a check value nor signing secrets", async () => {
    const store = memoryStore();
    await using hookwright = await createHookwright({ store, secret, role: "api" });
    await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
    await removeCheckValue(store);
    expect(await refusalOf(store, otherSecret)).toBeUndefined();
  });

  it("is the one of most signing secrets if earlier versions ran with two secrets", async () => {
    const store = memoryStore();
    const accounts = ["acc_1", "acc_2", "acc_3"];
    expect(new Set(accounts.map(partitionOf)).size).toBe(3);
    for (const accountId of accounts)
      await storeSigningSecret(store, accountId, accountId === "acc_1" ? otherSecret : secret);
    expect(await refusalOf(store, otherSecret)).toEqual(refused);
    expect(await refusalOf(store, secret)).toBeUndefined();
  });

  it.each([
    ["of a later version", '{"version":2,"sealed":"x"}'],
    ["that is damaged", "{"],
  ])("cannot be checked with a check value %s", async (_, value) => {
    const store = memoryStore();
    await store.commit(checkKey[0], { mutations: [{ type: "set", key: checkKey, value }] });
    const refusal = await refusalOf(store, secret);
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect(refusal).toMatchObject({
      option: "store",
      message:
        "store: holds a check value of the server secret that this version cannot read. Start the later version that wrote it, or restore a backup",
    });
    expect(await store.get(checkKey)).toBe(value);
  });

  it("is read once at start-up, and never for a request", async () => {
    const store = memoryStore();
    await fill(store);
    const asked: (readonly Key[])[] = [];
    const counting: Store = {
      ...store,
      get: (key) => (asked.push([key]), store.get(key)),
      getMany: (all) => (asked.push(all), store.getMany(all)),
    };
    const checks = () => asked.flat().filter(([, kind]) => kind === checkKey[1]).length;
    await using hookwright = await createHookwright({ store: counting, secret });
    expect(checks()).toBe(1);
    expect((await hookwright.fetch(new Request("http://localhost/v1/me"))).status).toBe(401);
    await hookwright.webhooks.create(
      { accountId: "acc_bakery", credential: { type: "console" } },
      { event: "order.created", target_url: "https://hooks.example.com" },
    );
    expect(checks()).toBe(1);
  });
});
