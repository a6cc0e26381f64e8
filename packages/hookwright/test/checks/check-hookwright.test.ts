import { memoryStore } from "@hookwright/storage/memory";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { StorageError } from "@hookwright/storage";
import type { Store } from "@hookwright/storage";
import { createStorage } from "unstorage";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { runCheck } from "../../src/checks/check.ts";
import { createStorageAccess } from "../../src/checks/storage-access.ts";
import { judgeClock, judgeDurability, judgeSpace, judgeVersions } from "../../src/checks/storage-checks.ts";
import { checkHookwright, createHookwright, formatChecks } from "../../src/index.ts";
import type { CheckedHookwrightOptions, CheckOptions } from "../../src/index.ts";

const secret = "a secret of these tests, 32 and more";
const silent = { info: () => {}, warn: () => {}, error: () => {} };
/** The network of the machine is none of the test. */
const only = ["settings", "storage", "durability", "space", "secret", "data", "outbox", "clock", "versions"];

async function check(store: Store | (() => Promise<Store>), options: CheckOptions = {}) {
  const results = await checkHookwright({ store, secret }, { only, ...options });
  return Object.fromEntries(results.map(({ name, ...found }) => [name, found]));
}

it("beside a running instance, over its store, nothing stays", async () => {
  const store = memoryStore();
  await using hookwright = await createHookwright({ store, secret, logger: silent });
  const found = await check(store);
  expect(await store.list({ prefix: ["p00", "readiness"], limit: 10 })).toEqual([]);
  expect(hookwright.scheduler.running).toBe(true);
  expect(found).toMatchObject({
    settings: { status: "ok" },
    storage: {
      status: "ok",
      message: expect.stringMatching(/^the memory storage: reads take [\d.]+ ms .+, writes /u),
    },
    durability: { status: "failed", message: expect.stringContaining("memory of this process") },
    space: { status: "skipped" },
    secret: { status: "ok", message: "secret has 36 characters and opens the stored values" },
    data: { status: "skipped" },
    outbox: {
      status: "skipped",
      message: "there is no outbox: the storage is not PostgreSQL, and outbox is not set",
    },
    clock: { status: "skipped" },
    versions: { status: "ok", message: `Node ${process.versions.node}` },
  });
});

it("a storage that a running process has to itself is named as in use", async () => {
  const storage = createStorage();
  await using _ = await openUnstorageStore({ storage });
  const found = await check(() => openUnstorageStore({ storage }));
  expect(found["storage"]).toMatchObject({
    status: "failed",
    message: expect.stringMatching(/in use|open/u),
  });
  expect(found["secret"]).toEqual({ status: "skipped", message: "the storage cannot be used" });
  expect(found["versions"]).toMatchObject({ status: "ok" });
});

it("a store that the function opens is closed, and that of the program is not", async () => {
  const store = memoryStore();
  await check(store);
  await store.get(["p00", "a"]);
  await check(async () => store);
  await expect(store.get(["p00", "a"])).rejects.toMatchObject({ code: "closed" });
});

it("a store that is opened too late is closed then, and nobody waits for it", async () => {
  const opening = Promise.withResolvers<Store>();
  const store = memoryStore();
  {
    await using access = createStorageAccess(() => opening.promise);
    void access.open();
  }
  opening.resolve(store);
  await expect.poll(() => store.get(["p00", "a"]).catch(({ code }) => code)).toBe("closed");
});

it("an error is a failed check, and shows no secret", async () => {
  const found = await check(async () => {
    throw new StorageError("unavailable", `Refused: ${secret}.`);
  });
  expect(found["storage"]).toEqual({ status: "failed", message: "Refused: ***." });
  const unknown = await check(async () => {
    throw new Error("socket hang up");
  });
  expect(unknown["storage"]).toEqual({
    status: "failed",
    message: "socket hang up",
    fix: "Check the URL of the storage, its password, and whether it runs.",
  });
});

it("the function of the store may be without types: it opens at once, or returns something else", async () => {
  const store = memoryStore();
  // @ts-expect-error no promise
  expect(await check(() => store)).toMatchObject({ storage: { status: "ok" } });
  await expect(store.get(["p00", "a"])).rejects.toMatchObject({ code: "closed" });
  const thrown = await check(() => {
    throw new Error("no directory");
  });
  expect(thrown["storage"]).toMatchObject({ status: "failed", message: "no directory" });
  for (const returned of [undefined, {}]) {
    // @ts-expect-error no store
    const found = await check(async () => returned);
    expect(found["storage"]).toEqual({
      status: "failed",
      message: "store: the function must return a store, such as `() => openFilesystemStore({ directory })`",
    });
    expect(found["data"]).toMatchObject({ status: "skipped" });
  }
});

it("a check of the program that returns no result has failed, and each failure has a message", async () => {
  const refused = new AggregateError([new Error("connect ECONNREFUSED ::1:25")]);
  const found = await check(memoryStore(), {
    only: ["empty", "unknown", "refused"],
    checks: [
      // @ts-expect-error no result
      { name: "empty", run() {} },
      // @ts-expect-error no status of a result
      { name: "unknown", run: () => ({ status: "error", message: "the mail server is down" }) },
      { name: "refused", run: () => Promise.reject(refused) },
    ],
  });
  const message =
    "checks: the check must return { status, message }, with the status ok, warning, failed, skipped";
  expect(found).toEqual({
    empty: { status: "failed", message },
    unknown: { status: "failed", message },
    refused: { status: "failed", message: "connect ECONNREFUSED ::1:25" },
  });
});

it("options that are allowed but may be mistakes are a warning", async () => {
  const options = { store: memoryStore(), secret, metricsToken: "short", basepath: "/api" };
  const [settings] = await checkHookwright(options, { only: ["settings"] });
  expect(settings).toMatchObject({
    status: "warning",
    message: expect.stringMatching(/did you mean basePath\?.+metrics/su),
  });
});

it("an unknown option of the checks is a warning, too", async () => {
  const misspelt: object = { onyl: ["storage"] };
  const results = await checkHookwright(
    { store: memoryStore(), secret },
    { ...misspelt, only: ["settings"] },
  );
  expect(results).toEqual([
    {
      name: "settings",
      status: "warning",
      message: "checkHookwright ignores unknown options: onyl (did you mean only?).",
    },
  ]);
});

it("events that are switched off or gone, but have webhooks, and a server without events", async () => {
  const store = memoryStore();
  const checkEvents = async (options: Partial<CheckedHookwrightOptions>) =>
    (await checkHookwright({ store, secret, ...options }, { only: ["events"] }))[0];
  const gone = {
    schema: z.object({ id: z.string() }),
    sample: { id: "m_1" },
    description: "A membership has expired.",
  };
  expect(await checkEvents({})).toMatchObject({ status: "ok", message: "there are 7 events" });
  expect(await checkEvents({ builtInEvents: false })).toMatchObject({
    status: "warning",
    message: expect.stringContaining("there are no events"),
    fix: expect.stringContaining("PUT /host/v1/event-types"),
  });
  {
    const events = { "membership.expired": gone };
    await using hookwright = await createHookwright({ store, secret, events, role: "api", logger: silent });
    await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
    const target_url = "https://example.com/hooks";
    const caller = { accountId: "acc_1", credential: { type: "console" } } as const;
    await hookwright.webhooks.create(caller, { events: ["*"], target_url });
    await hookwright.webhooks.create(caller, { event: "order.paid", target_url });
    await hookwright.webhooks.create(caller, { event: "membership.expired", target_url });
    expect(await checkEvents({ events })).toMatchObject({ message: "there are 8 events" });
  }
  expect(await checkEvents({ builtInEvents: ["review.submitted"] })).toMatchObject({
    status: "warning",
    message: expect.stringMatching(/get nothing new: membership\.expired \(1\), order\.paid \(1\)$/u),
    fix: expect.stringContaining("Add the events to the option events or builtInEvents"),
  });
  expect(await checkEvents({ role: "worker", builtInEvents: false })).toMatchObject({ status: "skipped" });
});

it("a check of the program comes last, or takes the place of one of Hookwright", async () => {
  const found = await check(memoryStore(), {
    only: ["durability", "data", "mail"],
    checks: [
      { name: "mail", run: () => Promise.reject(new Error("535 refused.")), fix: "Check the password." },
      {
        name: "durability",
        run: async (_, builtIn) => ({ ...(await builtIn()), status: "warning" }),
      },
      { name: "data", run: () => ({ status: "ok", message: "there is a shop" }) },
    ],
  });
  expect(found).toMatchObject({
    durability: { status: "warning", message: expect.stringContaining("memory of this process") },
    data: { status: "ok", message: "there is a shop" },
    mail: { status: "failed", message: "535 refused", fix: "Check the password." },
  });
  expect(Object.keys(found)).toEqual(["durability", "data", "mail"]);
});

it("wrong options throw", async () => {
  const store = memoryStore();
  await expect(checkHookwright({ store, secret: "short" })).rejects.toMatchObject({ code: "invalid_option" });
  // @ts-expect-error without a store
  await expect(checkHookwright({ secret })).rejects.toMatchObject({ option: "store" });
  // @ts-expect-error without options
  await expect(checkHookwright()).rejects.toMatchObject({ code: "invalid_option" });
  await expect(
    checkHookwright({ store, secret }, { only: ["storge"], probeUrl: "http://example.com" }),
  ).rejects.toMatchObject({ code: "invalid_option", options: ["only", "probeUrl"] });
  const ofOthers: unknown = { only: "storage", hostNames: "mail.example.com", checks: [{ name: "mail" }] };
  await expect(checkHookwright({ store, secret }, ofOthers as CheckOptions)).rejects.toMatchObject({
    code: "invalid_option",
    options: ["checks", "hostNames", "only"],
  });
});

it("a check that does not end in time has failed", async () => {
  const aborted = vi.fn();
  const run = (signal: AbortSignal) => new Promise<never>(() => signal.addEventListener("abort", aborted));
  expect(await runCheck({ name: "slow", fix: "Wait.", run }, 20)).toEqual({
    name: "slow",
    status: "failed",
    message: "no result within 0.02 s",
    fix: "Wait.",
  });
  expect(aborted).toHaveBeenCalledOnce();
});

it("results are printed as one line each", () => {
  const text = formatChecks([
    { name: "storage", status: "failed", message: "12 MiB\nare free", fix: "Enlarge the disk." },
    { name: "dns", status: "ok", message: "all resolved" },
  ]);
  expect(text.split("\n")).toEqual([
    "failed   storage  12 MiB are free. Enlarge the disk.",
    "ok       dns      all resolved",
  ]);
});

it("the settings of a storage are judged", () => {
  expect(judgeDurability({ unsafe: [], safe: "appendonly yes" })).toEqual({
    status: "ok",
    message: "appendonly yes",
  });
  const unsafe = [
    { setting: "fsync is off", fix: "Set fsync to on." },
    { setting: "appendonly is no", fix: "Set appendonly yes." },
  ];
  expect(judgeDurability({ unsafe, safe: "" })).toEqual({
    status: "failed",
    message: "fsync is off; appendonly is no",
    fix: "Set fsync to on. Set appendonly yes.",
  });
  expect(judgeDurability(undefined)).toMatchObject({ status: "skipped" });
});

it("its space, its version and its clock are judged", () => {
  const facts = { version: "Redis 7.2.4", clockAheadMs: 3, unsafe: [], safe: "" };
  expect(judgeSpace({ freeBytes: 2 ** 30 }, { name: "filesystem" })).toEqual({
    status: "ok",
    message: "1024 MiB are free",
  });
  expect(judgeSpace({ freeBytes: 1_000 }, { name: "filesystem" })).toMatchObject({ status: "failed" });
  expect(judgeSpace(undefined, { name: "postgres" })).toMatchObject({ status: "skipped" });
  expect(judgeVersions(facts, "22.18.0")).toEqual({ status: "ok", message: "Node 22.18.0, Redis 7.2.4" });
  expect(judgeVersions({ ...facts, tooOld: "Redis 7 or newer, or Valkey" }, "22.18.0")).toMatchObject({
    status: "failed",
    fix: "Use Redis 7 or newer, or Valkey.",
  });
  expect(judgeClock({ ...facts, clockAheadMs: -5_000 }, undefined)).toMatchObject({
    status: "failed",
    message: "the clock of the storage is 5000 ms behind this machine",
  });
  expect(judgeClock(facts, 2_500)).toMatchObject({ status: "ok" });
  expect(judgeClock(facts, 60_000)).toMatchObject({ status: "failed" });
});
