import { scryptSync } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { ClientAddress } from "../src/use-cases.ts";
import { keys } from "../src/rows/keys.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

const derive = useQuickScrypt();
afterEach(() => derive.mockClear());

const email = "owner@example.com";
const wrong = { code: "invalid_credentials" };

type Service = ReturnType<typeof openService>["service"];

/** The number of key derivations of a sign-in with a wrong password. */
async function derivationsOf(service: Service, address: string, client: ClientAddress = {}): Promise<number> {
  derive.mockClear();
  await service.sessions.create({ email: address, password: "wrong" }, client).catch((error: unknown) => {
    expect(error).toMatchObject(wrong);
  });
  return derive.mock.calls.length;
}

/** A hash of an older version, which had a separate salt per account. */
function oldHash(password: string, salt: string): string {
  const hash = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
  return `scrypt$32768$8$3$${Buffer.from(salt).toString("base64")}$${hash.toString("base64")}`;
}

describe("a sign-in needs one key derivation", () => {
  it("for known and unknown addresses, also as the first one of a process", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email, password: "correct horse" });
    for (const address of [email, "nobody@example.com"])
      expect(await derivationsOf(openService({ store }).service, address)).toBe(1);
  });

  it("for any number of accounts with the address", async () => {
    const { service } = openService();
    for (let number = 1; number <= 8; number++) {
      await service.accounts.put(`acc_${number}`, { email, password: `password ${number}` });
      const clientAddress = `192.0.2.${number}`;
      expect(await derivationsOf(service, email, { clientAddress })).toBe(1);
    }
    for (let number = 1; number <= 8; number++) {
      const { account } = await service.sessions.create({ email, password: `password ${number}` });
      expect(account.id).toBe(`acc_${number}`);
    }
  });

  it("for accounts that several processes created at the same time", async () => {
    const { service, store } = openService();
    const others = openService({ store }).service;
    await Promise.all(
      [1, 2, 3, 4].map((number) =>
        (number % 2 === 0 ? service : others).accounts.put(`acc_${number}`, { email, password: `${number}` }),
      ),
    );
    expect(await derivationsOf(service, email)).toBe(1);
  });

  it("for a suspended account, an account without a password, and a former address", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email, password: "correct horse", status: "suspended" });
    await service.accounts.put("acc_2", { email: "second@example.com" });
    await service.accounts.put("acc_3", { email: "third@example.com", password: "correct horse" });
    await service.accounts.put("acc_3", { email: "fourth@example.com" });
    for (const address of [email, "second@example.com", "third@example.com", "fourth@example.com"])
      expect(await derivationsOf(service, address)).toBe(1);
  });

  it("after accounts with another salt have signed in, and their sessions stay valid", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email: "before@example.com", password: "first" });
    await service.accounts.put("acc_1", { email });
    await service.accounts.put("acc_2", { email, password: "second" });
    await service.accounts.put("acc_3", { email, password: "third" });
    const key = keys.accountPassword("acc_3");
    await store.commit(key[0], { mutations: [{ type: "set", key, value: oldHash("third", "old salt") }] });
    expect(await derivationsOf(service, email)).toBe(3);
    const tokens: string[] = [];
    for (const [id, password] of [
      ["acc_1", "first"],
      ["acc_3", "third"],
      ["acc_3", "third"],
      ["acc_1", "first"],
    ]) {
      const session = await service.sessions.create({ email, password });
      expect(session.account.id).toBe(id);
      tokens.push(session.token);
    }
    expect(await derivationsOf(service, email)).toBe(1);
    for (const token of tokens) expect((await service.authenticate(token)).credential.type).toBe("console");
    await service.accounts.put("acc_3", { password: "another" });
    await expect(service.authenticate(tokens[2] ?? "")).rejects.toMatchObject({ code: "invalid_api_key" });
  });
});
