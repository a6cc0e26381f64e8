import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

const derive = useQuickScrypt();

const email = "ada@example.com";
const password = "Ada's own password";

async function invite(service: Service, address = email, role = "viewer"): Promise<string> {
  const { url } = await service.people.invite("acc_1", { email: address, role });
  return url.slice(url.lastIndexOf("/") + 1);
}

async function join(service: Service, address = email, role = "viewer"): Promise<string> {
  const token = await invite(service, address, role);
  const { person } = await service.sessions.acceptInvitation(token, { name: "Ada", password });
  return person?.id ?? "";
}

describe("people of an account", () => {
  it("are at most 100, open invitations included, also if many are invited at once", async () => {
    const store = memoryStore();
    const processes = [openService({ store }).service, openService({ store }).service] as const;
    const [{ accounts, people }] = processes;
    await accounts.put("acc_1", { email: "owner@example.com" });
    for (let number = 0; number < 92; number++)
      await people.invite("acc_1", { email: `p${number}@example.com`, role: "viewer" });
    const tries = await Promise.allSettled(
      Array.from({ length: 14 }, (_, number) =>
        processes[number % 2 === 0 ? 0 : 1].people.invite("acc_1", {
          email: `q${number}@example.com`,
          role: "viewer",
        }),
      ),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(8);
    expect(await people.list("acc_1")).toHaveLength(101);
    await expect(people.invite("acc_1", { email, role: "viewer" })).rejects.toMatchObject({
      code: "invalid_state",
    });
    // An address that is invited again keeps its place.
    await people.invite("acc_1", { email: "p1@example.com", role: "owner" });
    expect(await people.list("acc_1")).toHaveLength(101);
  });

  it("keep an owner, whichever of several owners are removed or lowered at once", async () => {
    for (let round = 0; round < 20; round++) {
      const store = memoryStore();
      const processes = [openService({ store }).service, openService({ store }).service] as const;
      const [{ accounts, people }, other] = processes;
      await accounts.put("acc_1", { email: "owner@example.com" });
      const ids: string[] = [];
      for (const name of ["a", "b", "c"]) ids.push(await join(other, `${name}@example.com`, "owner"));
      const changes = ids.map((id, index) =>
        index % 2 === 0 ? people.remove("acc_1", id) : other.people.change("acc_1", id, { role: "viewer" }),
      );
      const outcomes = await Promise.allSettled(changes);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
      const owners = (await people.list("acc_1")).filter(
        ({ id, role }) => id !== "account" && role === "owner",
      );
      expect(owners).toHaveLength(1);
    }
  });

  it("are found by the index of addresses only while they can sign in", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const entries = () => store.list({ prefix: keys.accountsOfEmail(email), limit: 10 });
    const token = await invite(service);
    expect(await entries()).toEqual([]);
    const { person } = await service.sessions.acceptInvitation(token, { name: "Ada", password });
    expect((await entries()).map(({ key }) => key.slice(3))).toEqual([["acc_1", person?.id]]);
    await service.people.remove("acc_1", person?.id ?? "");
    expect(await entries()).toEqual([]);
  });

  it("lose their place in the index at the next sign-in, if a removal was cut off", async () => {
    let isDead = false;
    let time = Date.now();
    const { service, store, errors } = openService({
      now: () => time,
      wrap: (inner) => ({
        ...inner,
        commit: async (partition, commit) => {
          const [first] = commit.mutations;
          if (isDead && first?.type === "delete" && first.key[1] === "account-of-email")
            throw new Error("the process died");
          return inner.commit(partition, commit);
        },
      }),
    });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const id = await join(service);
    isDead = true;
    await service.people.remove("acc_1", id);
    expect(errors).toHaveLength(1);
    isDead = false;
    time += 60_000;
    const wrong = { code: "invalid_credentials" };
    await expect(service.sessions.create({ email, password })).rejects.toMatchObject(wrong);
    expect(await store.list({ prefix: keys.accountsOfEmail(email), limit: 10 })).toEqual([]);
  });

  it("need one key derivation to sign in, as unknown addresses do", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email, password: "of the account" });
    await join(service);
    for (const address of [email, "nobody@example.com"]) {
      derive.mockClear();
      await service.sessions.create({ email: address, password: "wrong" }).catch(() => {});
      expect(derive.mock.calls).toHaveLength(1);
    }
  });

  it("stay signed in when the password of the account changes, and not when all sessions are ended", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com", password: "first" });
    await join(service);
    const { token } = await service.sessions.create({ email, password });
    await service.accounts.put("acc_1", { password: "second" });
    expect((await service.authenticate(token)).person).toMatchObject({ name: "Ada", email });
    await service.sessions.removeAll("acc_1");
    await expect(service.authenticate(token)).rejects.toMatchObject({ code: "invalid_api_key" });
  });
});

describe("invitations", () => {
  it("refuse a network after thirty wrong tokens in a minute", async () => {
    const { service } = openService();
    const client = { clientAddress: "192.0.2.1", isForwarded: true };
    const guess = () => service.sessions.getInvitation("hwi_wrong", client).catch(({ code }) => code);
    for (let number = 0; number < 30; number++) expect(await guess()).toBe("resource_not_found");
    expect(await guess()).toBe("rate_limited");
    const accepting = service.sessions.acceptInvitation("hwi_wrong", { name: "A", password }, client);
    await expect(accepting).rejects.toMatchObject({ code: "rate_limited" });
    // It is the limit of the sign-ins of the network.
    await expect(service.sessions.create({ email, password }, client)).rejects.toMatchObject({
      code: "rate_limited",
    });
  });

  it("are stored as fingerprints only", async () => {
    const written: string[] = [];
    const { service } = openService({
      wrap: (inner) => ({
        ...inner,
        commit: async (partition, commit) => {
          written.push(JSON.stringify(commit.mutations));
          return inner.commit(partition, commit);
        },
      }),
    });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const token = await invite(service);
    await service.sessions.acceptInvitation(token, { name: "Ada", password });
    expect(written.filter((text) => text.includes(token) || text.includes(password))).toEqual([]);
  });

  it.each([
    [{ name: "Ada", password: "short" }, "password: must have at least 8 characters"],
    [{ password }, "name: is required"],
    [{ name: " ", password }, "name: is required"],
  ])("with %j are refused and stay open", async (input, message) => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const token = await invite(service);
    await expect(service.sessions.acceptInvitation(token, input)).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining(message),
    });
    const zone = { name: "Ada", password, timezone: "Moon/Crater" };
    expect((await service.sessions.acceptInvitation(token, zone)).role).toBe("viewer");
  });
});

it("a removed account leaves nothing of its people and invitations", async () => {
  const store = memoryStore();
  const { service } = openService({ store });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await join(service);
  await invite(service, "bob@example.com");
  await service.accounts.remove("acc_1");
  const tables = ["person", "people-mark", "account-of-email", "invitation", "session-entry", "last-sign-in"];
  for (const partition of Array.from({ length: 64 }, (_, number) => `p${String(number).padStart(2, "0")}`))
    for (const table of [...tables, "console-session", "sign-in-guard"])
      expect(await store.list({ prefix: [partition, table], limit: 1 })).toEqual([]);
});
