import { partitions } from "@hookwright/storage";
import type { Key } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();

const email = "owner@example.com";
const password = "correct horse battery";
const here = { clientAddress: "192.0.2.1" };
const elsewhere = { clientAddress: "198.51.100.7" };

/** Two accounts with one address and different passwords. */
async function openLogin() {
  let time = Date.UTC(2026, 10, 20);
  const now = (): number => time;
  const store = memoryStore({ now });
  const { service } = openService({ store, now });
  await service.accounts.put("acc_1", { email, password });
  await service.accounts.put("acc_2", { email, password: "of another account" });
  const signIn = async (guess: string, client: { readonly clientAddress?: string } = here) => {
    try {
      return (await service.sessions.create({ email, password: guess }, client)).account.id;
    } catch (error) {
      return error;
    }
  };
  return { service, store, now, signIn, pass: (ms: number) => void (time += ms) };
}

const wrong = { code: "invalid_credentials" };
const refused = { code: "rate_limited", status: 429 };

describe("failed sign-ins", () => {
  it("block an address for a minute, only from the same network", async () => {
    const { signIn, pass } = await openLogin();
    for (let guess = 0; guess < 5; guess++) expect(await signIn("wrong", elsewhere)).toMatchObject(wrong);
    pass(10_000);
    expect(await signIn(password, elsewhere)).toMatchObject({
      ...refused,
      retryAfterSeconds: 50,
      message: "Too many failed sign-ins for this address from your network. Try again in 50 seconds.",
    });
    expect(await signIn(password)).toBe("acc_1");
    expect(await signIn(password, {})).toBe("acc_1");
    pass(50_000);
    expect(await signIn(password, elsewhere)).toBe("acc_1");
  });

  it("are counted over all processes of a store", async () => {
    const { store, now, signIn } = await openLogin();
    for (let guess = 0; guess < 5; guess++) expect(await signIn("wrong")).toMatchObject(wrong);
    const { service } = openService({ store, now });
    await expect(service.sessions.create({ email, password }, here)).rejects.toMatchObject(refused);
  });

  it("still count after a sign-in to another account with the same address", async () => {
    const { signIn } = await openLogin();
    const outcomes: unknown[] = [];
    for (let round = 0; round < 10; round++) {
      for (let guess = 0; guess < 4; guess++) outcomes.push(await signIn(`guess ${guess}`));
      outcomes.push(await signIn("of another account"));
    }
    const checked = outcomes.filter((outcome) => typeof outcome === "object" && outcome !== null);
    expect(checked.filter((outcome) => "code" in outcome && outcome.code === wrong.code)).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === "acc_2")).toHaveLength(1);
  });

  it("at the same time are counted before their passwords are checked", async () => {
    const { signIn } = await openLogin();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => signIn("wrong")));
    expect(outcomes).toMatchObject([
      ...Array.from({ length: 5 }, () => wrong),
      ...Array.from({ length: 7 }, () => refused),
    ]);
  });

  it("are not counted if the store cannot find the accounts", async () => {
    let isUnavailable = false;
    const { service } = openService({
      wrap: (store) => ({
        ...store,
        list: async (options) => {
          if (isUnavailable) throw new Error("the store is unavailable");
          return store.list(options);
        },
      }),
    });
    await service.accounts.put("acc_1", { email, password });
    isUnavailable = true;
    for (let attempt = 0; attempt < 10; attempt++)
      await expect(service.sessions.create({ email, password }, here)).rejects.toThrow(
        "the store is unavailable",
      );
    isUnavailable = false;
    expect((await service.sessions.create({ email, password }, here)).account.id).toBe("acc_1");
  });

  it("leave no rows in the store after two minutes", async () => {
    const { signIn, pass, store } = await openLogin();
    const rows = async (): Promise<number> => {
      const prefixes = partitions.map((partition): Key => [partition, "sign-in-window"]);
      const counted = await Promise.all(prefixes.map((prefix) => store.list({ prefix, limit: 100 })));
      return counted.flat().length;
    };
    for (let network = 0; network < 10; network++)
      await signIn("wrong", { clientAddress: `192.0.2.${network}` });
    expect(await rows()).toBe(10);
    expect(await signIn(password, elsewhere)).toBe("acc_1");
    expect(await rows()).toBe(10);
    pass(120_001);
    expect(await rows()).toBe(0);
  });
});
