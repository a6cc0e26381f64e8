import { memoryStore } from "@hookwright/storage/memory";
import { expect, it } from "vitest";
import { openService } from "./support/open-service.ts";
import { useQuickScrypt } from "./support/quick-scrypt.ts";

useQuickScrypt();

const hourMs = 60 * 60 * 1_000;
const dayMs = 24 * hourMs;
const login = { email: "ada@example.com", password: "Ada's own password" };

/** Two processes over one store, and what the store is asked to write. */
async function openLogin() {
  let time = Date.parse("2030-11-20T09:30:00Z");
  const commits: string[] = [];
  const store = memoryStore();
  const open = () =>
    openService({
      store,
      now: () => time,
      wrap: (inner) => ({
        ...inner,
        commit: async (partition, commit) => {
          commits.push(...commit.mutations.map(({ key }) => String(key[1])));
          return inner.commit(partition, commit);
        },
      }),
    }).service;
  const [service, other] = [open(), open()];
  await service.accounts.put("acc_1", login);
  const session = await service.sessions.create({ ...login, machine: "ada-laptop" });
  commits.length = 0;
  const wait = (milliseconds: number) => void (time += milliseconds);
  /** Uses the login, and waits for what that writes. */
  const use = async (by = service) => {
    const caller = await by.authenticate(session.token);
    await new Promise(setImmediate);
    return caller;
  };
  const list = async () => (await service.sessions.list(await use(), { limit: 10 })).rows;
  return { service, other, session, commits, wait, use, list };
}

it("a login of the command line lasts 90 days from its last use", async () => {
  const { session, wait, use, list } = await openLogin();
  expect(session).toMatchObject({ machine: "ada-laptop", expires_at: "2031-02-18T09:30:00Z" });
  for (let count = 0; count < 3; count += 1) {
    wait(89 * dayMs);
    await use();
  }
  expect(await list()).toMatchObject([
    { machine: "ada-laptop", last_used_at: "2031-08-14T09:30:00Z", expires_at: "2031-11-12T09:30:00Z" },
  ]);
  wait(90 * dayMs);
  await expect(use()).rejects.toMatchObject({ code: "console_token_expired" });
});

it("a login is written once an hour at most, also by two processes", async () => {
  const { other, commits, wait, use } = await openLogin();
  wait(hourMs - 1_000);
  await use();
  expect(commits).toEqual([]);
  wait(1_000);
  await Promise.all([use(), use(), use(other)]);
  await use(other);
  expect(commits.filter((table) => table === "console-session")).toHaveLength(1);
});

it("a login that is ended does not come back with a use at the same time", async () => {
  const { service, session, wait, use, list } = await openLogin();
  const [listed] = await list();
  const caller = await use();
  wait(2 * hourMs);
  const using = use();
  await service.sessions.end(caller, listed?.id ?? "");
  await using.catch(() => {});
  await expect(service.authenticate(session.token)).rejects.toMatchObject({ code: "invalid_api_key" });
});

it("a session of a browser is not extended, and has no machine", async () => {
  const { service, commits, wait } = await openLogin();
  const { token, ...session } = await service.sessions.create(login);
  expect(session).not.toHaveProperty("machine");
  commits.length = 0;
  wait(hourMs - 1);
  const { rows } = await service.sessions.list(await service.authenticate(token), { limit: 10 });
  expect(rows[0]).toMatchObject({ machine: null, last_used_at: null, current: true });
  expect(commits).toEqual([]);
});
