import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { verifySync } from "@hookwright/signature/node";
import type { Store } from "@hookwright/storage";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { memoryStore } from "@hookwright/storage/memory";
import { openUnstorageStore } from "@hookwright/storage/unstorage";
import { accountImportKey, createHookwright, readAccountRows } from "hookwright";
import type { AccountRowEntry, Hookwright } from "hookwright";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { runCli } from "../src/cli.ts";
import { writeComplete } from "../src/commands/write-complete.ts";
import { checkAccountFile } from "../src/transfer/check-account-file.ts";
import { exportAccount } from "../src/transfer/export-account.ts";
import { importAccount } from "../src/transfer/import-account.ts";
import { createSecretCheck } from "../src/transfer/secret-check.ts";
import { answersOf, busyAccount, fillAccount } from "./support/busy-account.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { createTestProgram } from "./support/test-program.ts";
import { useQuickScrypt } from "../../packages/service/test/support/quick-scrypt.ts";

useQuickScrypt();

type Environment = Readonly<Record<string, string>>;
const secret = "the-server-secret-of-these-tests-0123456789";

/** Receives webhooks, with configurable responses. */
async function openReceiver() {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[] = [];
  const answer = { status: 500 };
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(answer.status).end();
  });
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  return { received, answer, url: local.origin };
}

async function rowsOf(store: Store, accountId = busyAccount): Promise<AccountRowEntry[]> {
  const rows: AccountRowEntry[] = [];
  for await (const row of readAccountRows({ store, accountId })) rows.push(row);
  return rows;
}

async function exportToText(store: Store, accountId = busyAccount): Promise<string> {
  let text = "";
  const header = { accountId, exportedAt: Date.now(), secretCheck: createSecretCheck(secret) };
  await exportAccount({ store, header, write: async (piece) => void (text += piece) });
  return text;
}

async function* toChunks(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  // Pieces of odd length, which split characters and lines.
  for (let at = 0; at < bytes.length; at += 1_009) yield bytes.subarray(at, at + 1_009);
}

async function importText(
  store: Store,
  text: string,
  { secretCheck = createSecretCheck(secret) }: { readonly secretCheck?: string } = {},
) {
  const file = await checkAccountFile({ store, chunks: toChunks(text), secretCheck });
  return importAccount({ store, file, chunks: toChunks(text), now: Date.now });
}

/** An account with all kinds of data, in a store with a second account. */
async function filledStore(store: Store, targetUrl = "http://127.0.0.1:9") {
  await using hookwright = await createHookwright({ store, secret, role: "api", privateTargets: true });
  await hookwright.accounts.put("acc_other", { email: "other@example.com" });
  await hookwright.projects.put("site_other", { account_id: "acc_other" });
  await hookwright.apiKeys.create("acc_other", { name: "other" });
  return fillAccount(hookwright, { targetUrl });
}

/** A process that dies after some commits to a store. */
function dyingAfter(commits: number, store: Store): Store {
  let made = 0;
  return {
    ...store,
    async commit(partition, commit) {
      if (made++ >= commits) throw new Error("the process died");
      return store.commit(partition, commit);
    },
  };
}

const filled = memoryStore();
let filledText = "";
let filledRows: readonly AccountRowEntry[] = [];
beforeAll(async () => {
  await filledStore(filled);
  filledText = await exportToText(filled);
  filledRows = await rowsOf(filled);
});
afterAll(() => filled.close());

describe("an account that is moved to another storage", () => {
  it("has the same data there, and its deliveries continue", async () => {
    const root = await makeFolder();
    const receiver = await openReceiver();
    const source = await openFilesystemStore({ directory: join(root, "source") });
    const { apiKey, signingSecret } = await filledStore(source, receiver.url);
    // Some deliveries fail once and wait for their retry.
    const first = await createHookwright({
      store: source,
      secret,
      privateTargets: true,
      retryDelaysSeconds: [3_600],
    });
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(13);
    await first.close();
    const reading = await createHookwright({ store: source, secret, role: "api", privateTargets: true });
    const answers = await answersOf(reading, apiKey);
    await reading.close();
    const text = await exportToText(source);
    const rows = await rowsOf(source);
    await source.close();

    const storage = createStorage({ driver: fsDriver({ base: join(root, "target") }) });
    await using target = await openUnstorageStore({ storage });
    expect(await importText(target, text)).toEqual({ resumedAt: 0 });
    expect(await rowsOf(target)).toEqual(rows);
    expect(rows.some(({ key }) => key[1] === "retry")).toBe(true);
    expect(await target.get(accountImportKey(busyAccount))).toBeUndefined();
    {
      await using api = await createHookwright({ store: target, secret, role: "api", privateTargets: true });
      expect(await answersOf(api, apiKey)).toEqual(answers);
      expect(await api.accounts.get(busyAccount)).toMatchObject({ email: "busy@example.com" });
    }
    expect(text).not.toContain(signingSecret);
    expect(text).not.toContain(apiKey);

    // One hour later on the target's clock.
    receiver.answer.status = 204;
    receiver.received.length = 0;
    await using later = await createHookwright({
      store: target,
      secret,
      privateTargets: true,
      now: () => Date.now() + 2 * 3_600_000,
    });
    await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(13);
    const order = receiver.received.find(({ headers }) => headers["x-service-event"] === "order.created");
    expect(
      verifySync({
        headers: order?.headers ?? {},
        body: order?.body ?? "",
        secrets: signingSecret,
        toleranceSeconds: 10_000_000,
      }),
    ).toMatchObject({ event: "order.created" });
    await expect.poll(() => later.scheduler.stats.unrecorded).toBe(0);
  });

  it("exports every kind of row", async () => {
    const store = memoryStore();
    /** The kinds of written keys, and which of them expire. */
    const kinds = new Map<string, boolean>();
    await filledStore({
      ...store,
      commit(partition, commit) {
        for (const mutation of commit.mutations) {
          const kind = String(mutation.key[1]);
          const expires = "expiresAt" in mutation && mutation.expiresAt !== undefined;
          kinds.set(kind, expires || kinds.get(kind) === true);
        }
        return store.commit(partition, commit);
      },
    });
    const rows = await rowsOf(store);
    const moved = new Map(rows.map(({ key, lifetimeMs }) => [String(key[1]), lifetimeMs !== undefined]));
    const stays = new Set([
      "lease",
      "lease-expiry",
      "worker",
      "request-window",
      "suppression",
      "console-session",
      "sign-in-guard",
      "sign-in-window",
      "server-secret-check",
    ]);
    // A new kind of row must be added to account-rows.ts, with its lifetime if it has one.
    for (const [kind, expires] of kinds)
      if (!stays.has(kind)) expect([kind, moved.get(kind)]).toEqual([kind, expires]);
    expect(rows.every(({ key, value }) => !`${key.join(" ")} ${value}`.includes("other"))).toBe(true);
  });
});

describe("an import", () => {
  it("is refused if the account exists, and changes nothing", async () => {
    const target = memoryStore();
    await importText(target, filledText);
    const before = await rowsOf(target);
    await expect(importText(target, filledText)).rejects.toMatchObject({
      code: "transfer_refused",
      message: expect.stringContaining("already exists in this storage"),
    });
    expect(await rowsOf(target)).toEqual(before);
  });

  it("that was interrupted at any point continues from there", async () => {
    for (let stopAfter = 0; ; stopAfter++) {
      const target = memoryStore();
      const died = await importText(dyingAfter(stopAfter, target), filledText).then(
        () => false,
        () => true,
      );
      if (!died) break;
      // An incomplete account is neither exported nor served.
      await expect(exportToText(target)).rejects.toMatchObject({ code: "transfer_refused" });
      await importText(target, filledText);
      expect(await rowsOf(target)).toEqual(filledRows);
    }
  });

  describe("of many contacts, after one of another export", () => {
    let [first, second] = ["", ""];
    let [firstRows, secondRows]: AccountRowEntry[][] = [];
    beforeAll(async () => {
      const source = memoryStore();
      await using hookwright = await createHookwright({ store: source, secret, role: "api" });
      await hookwright.accounts.put(busyAccount, { email: "ada@example.com" });
      await hookwright.projects.put("site_a", { account_id: busyAccount });
      for (let number = 0; number < 700; number++)
        await hookwright.contacts.write(busyAccount, {
          project_id: "site_a",
          email: `${number}@example.com`,
        });
      [first, firstRows] = [await exportToText(source), await rowsOf(source)];
      await hookwright.accounts.put(busyAccount, { name: "Renamed", email: "renamed@example.com" });
      [second, secondRows] = [await exportToText(source), await rowsOf(source)];
    });

    it("removes the rows of that in a few commits, until it is visible", async () => {
      const target = memoryStore();
      await expect(importText(dyingAfter(6, target), first)).rejects.toThrow("died");
      await importText(dyingAfter(24, target), second);
      expect(await rowsOf(target)).toEqual(secondRows);
    });

    it("starts from the beginning if that had started to replace it", async () => {
      const target = memoryStore();
      await expect(importText(dyingAfter(6, target), first)).rejects.toThrow("died");
      // While the rows of the first import are removed.
      await expect(importText(dyingAfter(4, target), second)).rejects.toThrow("died");
      await importText(target, first);
      expect(await rowsOf(target)).toEqual(firstRows);
    });
  });

  it("is refused if an id of the account belongs to another account", async () => {
    const target = memoryStore();
    await using hookwright = await createHookwright({ store: target, secret, role: "api" });
    await hookwright.accounts.put("acc_else", { email: "else@example.com" });
    await hookwright.projects.put("site_a", { account_id: "acc_else" });
    await expect(importText(target, filledText)).rejects.toMatchObject({
      message: expect.stringMatching(
        /^line \d+ has an id that belongs to another account here \(directory project site_a\)/u,
      ),
    });
    expect(await rowsOf(target)).toEqual([]);
  });

  it("has its people there, who sign in, also at the limit of their address and after a crash", async () => {
    const login = { email: "ada@example.com", password: "Ada's own password" };
    const inviteAda = async (hookwright: Hookwright, accountId: string) => {
      await hookwright.accounts.put(accountId, { email: "owner@example.com" });
      const { url } = await hookwright.sessions.createLink(accountId);
      const { token } = await hookwright.sessions.exchangeLink({ code: url.split("/").at(-1) ?? "" });
      const ask = async (path: string, json: object) => {
        const response = await hookwright.fetch(
          new Request(`http://localhost/console/api/${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify(json),
          }),
        );
        expect(response.status).toBe(201);
        const { data }: { data: { url: string } } = JSON.parse(await response.text());
        return data;
      };
      const invited = await ask("people", { email: login.email, role: "viewer" });
      await ask(`invitations/${invited.url.split("/").at(-1)}`, { name: "Ada", password: login.password });
    };
    const source = memoryStore();
    await using before = await createHookwright({ store: source, secret, role: "api" });
    await inviteAda(before, "acc_moves");
    const text = await exportToText(source, "acc_moves");
    const target = memoryStore();
    await using after = await createHookwright({ store: target, secret, role: "api" });
    for (let number = 1; number <= 7; number++) await inviteAda(after, `acc_${number}`);
    await expect(importText(dyingAfter(3, target), text)).rejects.toThrow("the process died");
    await importText(target, text);
    for (let number = 1; number <= 7; number++) await after.accounts.remove(`acc_${number}`);
    const { account } = await after.sessions.create(login);
    expect(account.id).toBe("acc_moves");
    // Eight others leave no room.
    const full = memoryStore();
    await using other = await createHookwright({ store: full, secret, role: "api" });
    for (let number = 1; number <= 8; number++) await inviteAda(other, `acc_${number}`);
    await expect(importText(full, text)).rejects.toThrow(
      "has a person with the address ada@example.com, which eight people of this storage already use",
    );
  });

  it("is refused if eight accounts already sign in with its address, and works with seven", async () => {
    const source = memoryStore();
    const login = { email: "owner@example.com", password: "correct horse battery" };
    const password = "of the one that moves";
    await using before = await createHookwright({ store: source, secret, role: "api" });
    await before.accounts.put("acc_moves", { ...login, password });
    const text = await exportToText(source, "acc_moves");
    const target = memoryStore();
    await using after = await createHookwright({ store: target, secret, role: "api" });
    for (let number = 1; number <= 8; number++) await after.accounts.put(`acc_${number}`, login);
    await expect(importText(target, text)).rejects.toMatchObject({
      code: "transfer_refused",
      message: expect.stringMatching(
        /^line \d+ has the address owner@example\.com, which eight accounts of this storage already use to sign in\. .* Nothing was imported\.$/u,
      ),
    });
    expect(await rowsOf(target, "acc_moves")).toEqual([]);
    await after.accounts.put("acc_1", { email: "elsewhere@example.com" });
    await importText(target, text);
    const { account } = await after.sessions.create({ ...login, password });
    expect(account.id).toBe("acc_moves");
  });

  it("is refused with another server secret, unless no data is encrypted with it", async () => {
    const secretCheck = createSecretCheck("another-secret-of-at-least-32-characters");
    await expect(importText(memoryStore(), filledText, { secretCheck })).rejects.toMatchObject({
      message: expect.stringContaining("HOOKWRIGHT_SECRET"),
    });
    const target = memoryStore();
    await importText(target, await exportToText(filled, "acc_other"), { secretCheck });
    expect(await rowsOf(target, "acc_other")).toEqual(await rowsOf(filled, "acc_other"));
  });

  it("of an incomplete, changed or foreign file gets an error with the line number", async () => {
    const text = filledText;
    const lines = text.trimEnd().split("\n");
    const last = lines.length;
    const join = (some: readonly string[]) => `${some.join("\n")}\n`;
    const swapped = [...lines];
    [swapped[3], swapped[4]] = [lines[4] ?? "", lines[3] ?? ""];
    const foreign = JSON.stringify({ key: ["p00", "account", "acc_other"], value: "{}" });
    const cases: readonly (readonly [string, RegExp])[] = [
      ["", /the file is empty/u],
      ["{}\n", /^line 1 is not the first line/u],
      ["PK\u0003\u0004", /^line 1 is not the first line/u],
      [text.replace('"format":1', '"format":2'), /^line 1 has the format 2/u],
      [
        join(lines.slice(0, -1)),
        new RegExp(`ends after line ${last - 1}, before its last line, so it is incomplete`, "u"),
      ],
      [text.slice(0, -40), new RegExp(`^line ${last} is not a JSON object, so the file is incomplete`, "u")],
      [
        text.slice(0, text.indexOf("\n", 2_000) - 7),
        /^line \d+ is not a JSON object, so the file is incomplete/u,
      ],
      [join(lines.toSpliced(5, 1)), new RegExp(`^line ${last - 1} does not match`, "u")],
      [join(swapped), new RegExp(`^line ${last} does not match`, "u")],
      [text.replace("Busy", "Lazy"), new RegExp(`^line ${last} does not match`, "u")],
      [text.replaceAll("\n", "\r\n"), /does not match/u],
      [join(lines.toSpliced(4, 0, foreign)), /^line 5 is not a row of acc_busy/u],
      [join(lines.toSpliced(4, 0, '{"key":"x"}')), /^line 5 is not a row: it needs a key and a value/u],
      [join([...lines, "{}"]), new RegExp(`^line ${last + 1} comes after the last line`, "u")],
    ];
    for (const [damaged, message] of cases) {
      const target = memoryStore();
      await expect(importText(target, damaged)).rejects.toMatchObject({
        code: "transfer_refused",
        message: expect.stringMatching(message),
      });
      expect(await rowsOf(target)).toEqual([]);
    }
  });
});

describe("an export", () => {
  it("is not completed if the account changes meanwhile", async () => {
    const store = memoryStore();
    await filledStore(store);
    const header = { accountId: busyAccount, exportedAt: 0, secretCheck: null };
    let text = "";
    /** @param changeAt the read during which the account changes. @returns how many reads there were */
    async function exportChanged(changeAt: number): Promise<number> {
      let reads = 0;
      const changing: Store = {
        ...store,
        async list(options) {
          if (++reads === changeAt) {
            const key = filledRows.find(({ key: [, kind] }) => kind === "account")?.key ?? ["p00"];
            await store.commit(key[0], { mutations: [{ type: "set", key, value: "{}" }] });
          }
          return store.list(options);
        },
      };
      text = "";
      await exportAccount({ store: changing, header, write: async (piece) => void (text += piece) });
      return reads;
    }
    const reads = await exportChanged(Infinity);
    expect(text).toContain('"end":true');
    // An export reads everything twice.
    await expect(exportChanged(Math.ceil(reads * 0.75))).rejects.toMatchObject({
      message: expect.stringContaining("changed during the export"),
    });
    expect(text).not.toContain('"end":true');
  });
});

const directory = await makeFolder(afterAll);

describe("the commands", () => {
  beforeAll(async () => {
    await using store = await openFilesystemStore({ directory });
    await filledStore(store);
    await writeFile(join(directory, "secret"), `${secret}\n`, { mode: 0o600 });
  });

  /** A folder with the directory `source` of an account. `exportFrom` prints it. */
  async function openSource() {
    const root = await makeFolder();
    await cp(directory, join(root, "source"), { recursive: true });
    const [source, target] = [`file:${join(root, "source")}`, `file:${join(root, "target")}`];
    return { root, source, target };
  }
  const exportFrom = (storage: string, more: readonly string[] = [], environment: Environment = {}) =>
    runCommand(["export", "--storage", storage, "--account", busyAccount, ...more], environment);
  const rowsIn = ({ written }: { readonly written: string }) => written.split("\n").slice(1, -2);
  const importInto = (
    storage: string,
    input: string,
    environment: Environment = { HOOKWRIGHT_SECRET: secret },
  ) => runCommand(["import", "--storage", storage], environment, input);

  it("move an account through a file that only its owner can read, without overwriting a file", async () => {
    const { root, source, target } = await openSource();
    const file = join(root, "account.ndjson");
    // On a slow machine, progress lines come first.
    expect(await exportFrom(source, ["--to", file])).toMatchObject({
      code: 0,
      complained: expect.stringMatching(
        /^exported acc_busy: \d+ rows, file:\S+source → \S+account\.ndjson\nwarning: acc_busy is active, /mu,
      ),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await exportFrom(source, ["--to", file])).toMatchObject({
      code: 1,
      complained: expect.stringContaining("it exists, and nothing is overwritten"),
    });
    expect((await readdir(root)).toSorted()).toEqual(["account.ndjson", "source"]);

    const into = ["import", "--storage", target, "--from", file];
    expect(await runCommand(into)).toMatchObject({
      code: 1,
      complained: expect.stringContaining(
        "no server secret is known for this storage. Set HOOKWRIGHT_SECRET to",
      ),
    });
    // A refused import leaves no directory behind.
    expect((await readdir(root)).toSorted()).toEqual(["account.ndjson", "source"]);
    const environment = { HOOKWRIGHT_SECRET: secret };
    expect(await runCommand(into, environment)).toMatchObject({
      code: 0,
      complained: expect.stringMatching(
        /^imported acc_busy: \d+ rows, \S+account\.ndjson → file:\S+target\nacc_busy is active here, .*Make sure that it is suspended at the source\.$/mu,
      ),
    });
    expect(await runCommand(into, environment)).toMatchObject({
      code: 1,
      complained: expect.stringContaining("already exists in this storage"),
    });
  });

  it("say where to suspend a moved account and where to activate it", async () => {
    const { root, source, target } = await openSource();
    {
      await using store = await openFilesystemStore({ directory: join(root, "source") });
      await using hookwright = await createHookwright({ store, secret, role: "api" });
      await hookwright.accounts.put(busyAccount, { status: "suspended" });
    }
    const exported = await exportFrom(source);
    expect(exported.complained).toMatch(/^exported acc_busy: \d+ rows, file:\S+source → standard output$/mu);
    expect((await importInto(target, exported.written)).complained).toMatch(
      /^imported acc_busy: \d+ rows, standard input → file:\S+target\nacc_busy is suspended here\. Leave it suspended at the source, and set it to active here /mu,
    );
  });

  it("leave no account data behind after a signal or a closed terminal", async () => {
    const root = await makeFolder();
    const exporting = createTestProgram({});
    const exported = writeComplete(join(root, "account.ndjson"), exporting, async (write) => {
      await write("an account in the clear");
      expect(await readdir(root)).toHaveLength(1);
      exporting.send("SIGINT");
      expect(await readdir(root)).toEqual([]);
    });
    await expect(exported).rejects.toThrow("cannot be written");
    expect(exporting.exits).toEqual([130]);

    const cutOff = createTestProgram({});
    const begun = writeComplete(join(root, "account.ndjson"), cutOff, async (write) => {
      await write("an account in the clear");
      cutOff.hangUp();
      expect(await readdir(root)).toEqual([]);
    });
    await expect(begun).rejects.toThrow("cannot be written");
    expect(cutOff.exits).toEqual([129]);

    vi.stubEnv("TMPDIR", root);
    onTestFinished(() => void vi.unstubAllEnvs());
    const importing = createTestProgram({});
    async function* read() {
      yield new TextEncoder().encode("an account in the clear");
      expect(await readdir(root)).toHaveLength(1);
      importing.send("SIGTERM");
      expect(await readdir(root)).toEqual([]);
    }
    const commandLine = ["import", `--storage=file:${join(root, "target")}`];
    await runCli({ ...importing, commandLine, read }).catch(() => {});
    expect(importing.exits).toEqual([143]);
  });

  it("describe errors of the operating system", async () => {
    const root = await makeFolder();
    const storage = `--storage=file:${join(root, "target")}`;
    vi.stubEnv("TMPDIR", join(root, "nowhere"));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await runCommand(["import", storage], {}, "anything")).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        /^hookwright: standard input cannot be stored in \S+nowhere \(ENOENT: /u,
      ),
    });
    await mkdir(join(root, "target", "secret"), { recursive: true });
    expect(await runCommand(["import", storage, "--from", fileURLToPath(import.meta.url)])).toMatchObject({
      code: 1,
      complained: expect.stringMatching(
        /^hookwright: the secret \S+secret can be neither read nor created: EISDIR: /u,
      ),
    });
  });

  it("move an account through standard output and input", async () => {
    const { root, source, target } = await openSource();
    const exported = await exportFrom(source, ["--to", "-"]);
    expect(exported.code).toBe(0);
    await mkdir(join(root, "target"));
    await writeFile(join(root, "target", "secret"), `${secret}\n`, { mode: 0o600 });
    const imported = await runCommand(
      ["import", "--from", "-"],
      { HOOKWRIGHT_STORAGE: target },
      exported.written,
    );
    expect(imported).toMatchObject({ code: 0, complained: expect.stringContaining("imported acc_busy") });
    // The same except the time in the header, and therefore the digest.
    expect(rowsIn(await exportFrom(target))).toEqual(rowsIn(exported));
  });

  describe("with a server secret that the storage was not written with", () => {
    const otherSecret = "another-secret-of-at-least-32-characters";
    const notOriginal = (storage: string): string =>
      `hookwright: HOOKWRIGHT_SECRET is not the server secret that the data in ${storage} was written with, so its signing secrets cannot be decrypted.`;

    it("export nothing", async () => {
      const { root, source } = await openSource();
      expect(await exportFrom(source, [], { HOOKWRIGHT_SECRET: otherSecret })).toMatchObject({
        code: 1,
        written: "",
        complained: `${notOriginal(source)} Unset HOOKWRIGHT_SECRET: the file ${join(root, "source", "secret")} holds the original secret.`,
      });
    });

    it("import nothing, even if the file was exported with that secret", async () => {
      const { root, source, target } = await openSource();
      const { written } = await exportFrom(source);
      const openTarget = () => openFilesystemStore({ directory: join(root, "target") });
      {
        await using store = await openTarget();
        await using _ = await createHookwright({ store, secret: otherSecret, role: "api" });
      }
      expect(await importInto(target, written)).toMatchObject({
        code: 1,
        complained: `${notOriginal(target)} Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.`,
      });
      await using store = await openTarget();
      expect(await rowsOf(store)).toEqual([]);
    });
  });

  it.runIf(hasRedisServer)(
    "move an account from a directory to Redis and back",
    { tags: ["long"] },
    async () => {
      const { source, target } = await openSource();
      await using redis = await startRedisServer();
      const first = await exportFrom(source);
      expect(await importInto(redis.url, first.written)).toMatchObject({ code: 0 });
      const second = await exportFrom(redis.url, [], { HOOKWRIGHT_SECRET: secret });
      expect(await importInto(target, second.written)).toMatchObject({ code: 0 });
      const third = await exportFrom(target, [], { HOOKWRIGHT_SECRET: secret });
      expect(rowsIn(second)).toEqual(rowsIn(first));
      expect(rowsIn(third)).toEqual(rowsIn(first));
      expect(rowsIn(first).length).toBeGreaterThan(50);
    },
  );

  it.each([
    [
      ["export", "--storage", "file:/nowhere/at/all", "--account", "acc_1"],
      1,
      "the directory /nowhere/at/all does not exist",
    ],
    [
      ["export", "--storage", "memory", "--account", "acc_1"],
      2,
      "Data in memory does not outlive its process",
    ],
    [
      ["export", "--storage", "disk", "--account", "acc_1"],
      2,
      "must be file:DIR, a Redis or PostgreSQL URL, or unstorage:DRIVER?…",
    ],
    [["export", "--storage", "file:x"], 2, "--account is missing"],
    [["export"], 2, "--account is missing"],
    [["export", "--storage", "file:/nowhere/at/all"], 2, "--account is missing"],
    [["export", "--storage", "file:/nowhere/at/all"], 2, "the directory /nowhere/at/all does not exist"],
    [["export", "--account", "a", "--storage", "file:.", "--to=~/a"], 2, 'Write "$HOME/a"'],
    [["import", "--from", "file:a.ndjson"], 2, "Write --from a.ndjson"],
    [["export", "--acount", "acc_1"], 2, 'unknown option "--acount"'],
    [["export", "--acount", "acc_1"], 2, "did you mean --account?"],
    [["export", "acc_1"], 2, 'unexpected argument "acc_1"'],
    [["export", "--storag=redis://:pw@h"], 2, 'unknown option "--storag" (did you mean --storage?)'],
    [["export", "--account", "--to", "x"], 2, "--account needs a value"],
    [["export", "--account", "a", "--account", "b"], 2, "--account is given twice"],
    [["import", "--from", "/nowhere/at/all"], 1, "is not a readable file"],
    [["import", "--to", "x"], 2, 'unknown option "--to"'],
  ])("%j gets exit code %i and a message with the reason", async (commandLine, code, reason) => {
    const refused = await runCommand(commandLine);
    expect(refused).toMatchObject({ code, complained: expect.stringContaining(reason) });
    expect(refused.complained).not.toMatch(/^\s+at /mu);
  });

  it("report an unknown account, and write nothing", async () => {
    const { root, source } = await openSource();
    expect(await runCommand(["export", "--storage", source, "--account", "acc_none"])).toMatchObject({
      code: 1,
      written: "",
      complained: expect.stringContaining("does not exist in this storage"),
    });
    expect(await readFile(join(root, "source", "secret"), "utf8")).toBe(`${secret}\n`);
  });

  it("report that the reader closed the export early", async () => {
    const { source } = await openSource();
    const commandLine = ["export", "--storage", source, "--account", busyAccount];
    const write = () => Promise.reject(new Error("write EPIPE"));
    const program = { ...createTestProgram({ commandLine }), write };
    expect(await runCli(program)).toBe(1);
    expect(program.complained).toEqual([expect.stringContaining("The export is not complete")]);
  });
});
