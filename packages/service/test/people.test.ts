import { partitions } from "@hookwright/storage";
import type { Entry, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { keys } from "../src/rows/keys.ts";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

const derive = useQuickScrypt();

const email = "ada@example.com";
const password = "Ada's own password";

async function invite(service: Service, address = email, accountId = "acc_1"): Promise<string> {
  const { url } = await service.people.invite(accountId, { email: address, role: "viewer" });
  return url.slice(url.lastIndexOf("/") + 1);
}

async function join(service: Service, address = email, accountId = "acc_1"): Promise<string> {
  const token = await invite(service, address, accountId);
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

  it("are found by the index of addresses only while they can sign in", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const entries = () => store.list({ prefix: keys.peopleOfEmail(email), limit: 10 });
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
          if (isDead && first?.type === "delete" && first.key[1] === "person-of-email")
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
    expect(await store.list({ prefix: keys.peopleOfEmail(email), limit: 10 })).toEqual([]);
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

describe("a person's own login", () => {
  const next = "another password";

  async function openLogin() {
    const opened = openService();
    const { service } = opened;
    await service.accounts.put("acc_1", { email: "owner@example.com", password: "of the account" });
    await join(service);
    const signIn = async (of: string) => (await service.sessions.create({ email, password: of })).token;
    const change = async (token: string, input: object) =>
      service.sessions.changeOwn(await service.authenticate(token), input, { token });
    return { ...opened, signIn, change };
  }

  it("gets another password, which ends all other sessions for good", async () => {
    const { service, signIn, change } = await openLogin();
    const [own, other] = [await signIn(password), await signIn(password)];
    await change(own, { password: { current: password, new: next } });
    const caller = await service.authenticate(own);
    expect(caller.person).toMatchObject({ name: "Ada", email });
    const ended = { code: "invalid_api_key" };
    await expect(service.authenticate(other)).rejects.toMatchObject(ended);
    await expect(signIn(password)).rejects.toMatchObject({ code: "invalid_credentials" });
    expect((await service.sessions.list(caller, { limit: 10 })).rows).toMatchObject([{ current: true }]);
    // The old password again: equal passwords have equal hashes.
    await change(await signIn(next), { password: { current: next, new: password } });
    for (const token of [own, other]) await expect(service.authenticate(token)).rejects.toMatchObject(ended);
    await signIn(password);
    await expect(signIn(next)).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  it("needs the current password, and a wrong one counts as a failed sign-in", async () => {
    const { service, signIn, change } = await openLogin();
    const token = await signIn(password);
    const guess = () => change(token, { password: { current: "a guess", new: next } });
    for (let count = 0; count < 5; count++)
      await expect(guess()).rejects.toMatchObject({
        code: "validation_failed",
        message: "password.current: is wrong",
      });
    const limited = { code: "rate_limited" };
    await expect(guess()).rejects.toMatchObject(limited);
    await expect(change(token, { password: { current: password, new: next } })).rejects.toMatchObject(
      limited,
    );
    await expect(signIn(password)).rejects.toMatchObject(limited);
    expect((await service.authenticate(token)).person).toMatchObject({ email });
  });

  it("gets another name and time zone, and the audit log says so without passwords", async () => {
    const { service, signIn, change } = await openLogin();
    const token = await signIn(password);
    const both = { name: "Ada L.", timezone: "Europe/Paris" };
    const login = { current: password, new: next };
    expect(await change(token, { ...both, password: login })).toMatchObject({ ...both, role: "viewer" });
    expect((await service.authenticate(token)).person).toMatchObject({ name: "Ada L." });
    await change(token, both);
    for (const wrong of [{ timezone: "Paris" }, { password: { current: next, new: "short" } }])
      await expect(change(token, wrong)).rejects.toMatchObject({ code: "validation_failed" });
    const { rows } = await service.audit.list({ action: "person.updated" }, { limit: 10 });
    expect(rows).toMatchObject([
      {
        changed: ["name", "timezone", "password"],
        changes: [
          { field: "name", old: "Ada", new: "Ada L." },
          { field: "timezone", old: null, new: "Europe/Paris" },
        ],
      },
    ]);
  });

  it("is not that of the account, of a link or of a demo account", async () => {
    const { service, signIn, change } = await openLogin();
    const { url } = await service.sessions.createLink("acc_1", { read_only: true });
    const link = await service.sessions.exchangeLink({ code: url.split("/").at(-1) ?? "" });
    const owner = await service.sessions.create({ email: "owner@example.com", password: "of the account" });
    const ada = await signIn(password);
    const codeOf = (token: string) => change(token, { name: "Eve" }).catch(({ code }) => code);
    expect([await codeOf(owner.token), await codeOf(link.token)]).toEqual([
      "invalid_state",
      "read_only_demo",
    ]);
    await service.accounts.put("acc_1", { demo: true });
    expect(await codeOf(ada)).toBe("read_only_demo");
  });
});

describe("people with one address", () => {
  it("are at most eight, and do not keep its owner from an account of their own", async () => {
    const { service } = openService();
    for (let number = 1; number <= 9; number++)
      await service.accounts.put(`acc_${number}`, { email: "eve@example.com" });
    for (let number = 1; number <= 8; number++) await join(service, email, `acc_${number}`);
    const token = await invite(service, email, "acc_9");
    derive.mockClear();
    const ninth = service.sessions.acceptInvitation(token, { name: "Ada", password });
    await expect(ninth).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringContaining("email: this address has already joined 8 times"),
    });
    expect(derive.mock.calls).toHaveLength(0);
    await service.accounts.put("acc_own", { email, password: "of the account" });
    derive.mockClear();
    const { account } = await service.sessions.create({ email, password: "of the account" });
    expect([account.id, derive.mock.calls.length]).toEqual(["acc_own", 1]);
    // Whoever leaves an account makes room.
    const [person] = await service.people.list("acc_1");
    await service.people.remove("acc_1", person?.id ?? "");
    await service.sessions.acceptInvitation(token, { name: "Ada", password });
  });
});

describe("sessions", () => {
  it("of links with a lower role, and such links, have marks that versions without roles refuse", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const marks = async (table: string) =>
      (await rowsOf(store, table)).map(({ value }) => JSON.parse(value).mark);
    for (const [role, mark] of [
      ["viewer", "//viewer"],
      ["owner", "/"],
    ] as const) {
      const { url } = await service.sessions.createLink("acc_1", { role });
      expect(await marks("console-link")).toEqual([mark]);
      const { token } = await service.sessions.exchangeLink({ code: url.slice(url.lastIndexOf("/") + 1) });
      expect(await marks("console-session")).toContain(mark);
      const caller = await service.authenticate(token);
      const { rows } = await service.sessions.list({ ...caller, rights: ["people"] }, { limit: 10 });
      expect([caller.role, rows[0]?.role]).toEqual([role, role]);
    }
  });

  it("of a version without a list go on, are not listed, and sign out", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email, password });
    const { token } = await service.sessions.create({ email, password });
    const [row] = await rowsOf(store, "console-session");
    const [entry] = await rowsOf(store, "session-entry");
    if (row === undefined || entry === undefined) throw new Error("no session");
    const old = JSON.stringify({ ...JSON.parse(row.value), id: undefined });
    await store.commit(row.key[0], { mutations: [{ type: "set", key: row.key, value: old }] });
    await store.commit(entry.key[0], { mutations: [{ type: "delete", key: entry.key }] });
    const caller = await service.authenticate(token);
    expect(caller).toMatchObject({ role: "owner", person: { id: "account" } });
    expect((await service.sessions.list(caller, { limit: 10 })).rows).toEqual([]);
    await service.sessions.remove(token);
    await expect(service.authenticate(token)).rejects.toMatchObject({ code: "invalid_api_key" });
  });

  it("of a person are not shown to a guest of the host with the same id", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const id = await join(service);
    const person = { id, name: "Ada", email };
    const { url } = await service.sessions.createLink("acc_1", { role: "viewer", person });
    const { token } = await service.sessions.exchangeLink({ code: url.slice(url.lastIndexOf("/") + 1) });
    const { rows } = await service.sessions.list(await service.authenticate(token), { limit: 10 });
    expect(rows).toMatchObject([{ link: true, current: true }]);
  });

  it("leave the list an hour after they expire, and with their person", async () => {
    const lifetimes: number[] = [];
    const time = Date.now();
    const { service, store } = openService({
      now: () => time,
      wrap: (inner) => ({
        ...inner,
        commit: async (partition, commit) => {
          for (const each of commit.mutations)
            if (each.type === "set" && each.key[1] === "session-entry")
              lifetimes.push((each.expiresAt ?? Number.POSITIVE_INFINITY) - time);
          return inner.commit(partition, commit);
        },
      }),
    });
    await service.accounts.put("acc_1", { email: "owner@example.com", password: "of the account" });
    const id = await join(service);
    await service.sessions.create({ email, password });
    await service.sessions.create({ email: "owner@example.com", password: "of the account" });
    expect(lifetimes).toEqual([7_200_000, 7_200_000, 7_200_000]);
    await service.people.remove("acc_1", id);
    expect((await rowsOf(store, "session-entry")).map(({ value }) => JSON.parse(value).person.id)).toEqual([
      "account",
    ]);
  });
});

describe("invitations", () => {
  it("leave no row when they are replaced or withdrawn", async () => {
    const { service, store } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    await invite(service);
    await invite(service);
    expect(await rowsOf(store, "invitation")).toHaveLength(1);
    const [{ id } = { id: "" }] = await service.people.list("acc_1");
    await service.people.remove("acc_1", id);
    expect(await rowsOf(store, "invitation")).toEqual([]);
  });

  it("are either accepted or withdrawn, if both happen at once", async () => {
    for (let round = 0; round < 20; round++) {
      const store = memoryStore();
      const [{ service }, { service: other }] = [openService({ store }), openService({ store })];
      await service.accounts.put("acc_1", { email: "owner@example.com" });
      const token = await invite(service);
      const [{ id } = { id: "" }] = await service.people.list("acc_1");
      const accepted = service.sessions.acceptInvitation(token, { name: "Ada", password });
      for (let turn = 0; turn < round; turn++) await Promise.resolve();
      const [joined] = await Promise.allSettled([accepted, other.people.remove("acc_1", id)]);
      // The removal comes last, or withdraws the invitation.
      if (joined.status === "rejected") expect(joined.reason).toMatchObject({ code: "resource_not_found" });
      else await expect(service.authenticate(joined.value.token)).rejects.toMatchObject({ status: 401 });
      const wrong = { code: "invalid_credentials" };
      await expect(service.sessions.create({ email, password })).rejects.toMatchObject(wrong);
      expect(await service.people.list("acc_1")).toHaveLength(1);
    }
  });

  it("do not exist while the account is suspended", async () => {
    const { service } = openService();
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const token = await invite(service);
    await service.accounts.put("acc_1", { status: "suspended" });
    const unknown = { code: "resource_not_found" };
    await expect(service.sessions.getInvitation(token)).rejects.toMatchObject(unknown);
    const input = { name: "Ada", password };
    await expect(service.sessions.acceptInvitation(token, input)).rejects.toMatchObject(unknown);
    await service.accounts.put("acc_1", { status: "active" });
    expect((await service.sessions.acceptInvitation(token, input)).role).toBe("viewer");
  });

  it("do not let anybody join an account that is suspended meanwhile", async () => {
    let isArmed = false;
    const opened = openService({
      wrap: (inner) => ({
        ...inner,
        commit: async (partition, commit) => {
          if (isArmed && commit.mutations.some(({ key }) => key[1] === "person")) {
            isArmed = false;
            await openService({ store: inner }).service.accounts.put("acc_1", { status: "suspended" });
          }
          return inner.commit(partition, commit);
        },
      }),
    });
    const { service } = opened;
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    const token = await invite(service);
    isArmed = true;
    const joining = service.sessions.acceptInvitation(token, { name: "Ada", password });
    await expect(joining).rejects.toMatchObject({ code: "resource_not_found" });
    expect(await service.people.list("acc_1")).toMatchObject([{ status: "invited" }, {}]);
  });

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
    [{ name: "Ada", password: "\ud800 is half a character" }, "password: must be well-formed text"],
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

it("a removed account leaves nothing of its people and invitations, also if somebody joins meanwhile", async () => {
  const store = memoryStore();
  let isRemoving = false;
  const late = keys.personOfEmail("late@example.com", "acc_1", "prs_late");
  const { service } = openService({
    wrap: () => ({
      ...store,
      commit: async (partition, commit) => {
        const outcome = await store.commit(partition, commit);
        if (isRemoving && commit.mutations.some(({ key }) => key[1] === "people-mark"))
          await store.commit(late[0], { mutations: [{ type: "set", key: late, value: "late" }] });
        return outcome;
      },
    }),
  });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  await join(service);
  await invite(service, "bob@example.com");
  const tables = ["person", "people-mark", "person-of-email", "invitation", "session-entry", "last-sign-in"];
  const filled = async () => {
    const all = [...tables, "console-session", "sign-in-guard"];
    const rows = await Promise.all(all.map((table) => rowsOf(store, table)));
    return all.filter((_, index) => rows[index]?.length !== 0);
  };
  expect(await filled()).toEqual([...tables, "console-session", "sign-in-guard"]);
  isRemoving = true;
  await service.accounts.remove("acc_1");
  expect(await filled()).toEqual([]);
});

/** The rows of a table in all partitions. */
async function rowsOf(store: Store, table: string): Promise<Entry[]> {
  const lists = partitions.map((partition) => store.list({ prefix: [partition, table], limit: 100 }));
  return (await Promise.all(lists)).flat();
}
