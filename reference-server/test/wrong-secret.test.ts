import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTenants, environmentOn, startOn } from "./support/fleet.ts";
import { call, hostToken } from "./support/host-api.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { runToEnd, startServer } from "./support/server-process.ts";
import type { FinishedProcess } from "./support/server-process.ts";

const original = "the-original-secret-of-these-tests-0123";
const other = "another-secret-of-these-tests-012345678";

type Environment = Readonly<Record<string, string>>;

async function temporaryDirectory(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "hookwright-wrong-secret-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

/** Serves from the directory until it has a webhook. */
async function fillDirectory(directory: string, env: Environment = {}): Promise<void> {
  await using server = await startServer({
    args: ["serve", "--storage", `file:${directory}`],
    env: { HOOKWRIGHT_HOST_TOKEN: hostToken, ...env },
  });
  await createTenants(server, 1, "https://example.com/hooks");
  expect((await server.stop()).code).toBe(0);
}

async function filledDirectory(env: Environment = {}): Promise<string> {
  const directory = join(await temporaryDirectory(), "data");
  await fillDirectory(directory, env);
  return directory;
}

function serve(directory: string, env: Environment = {}): Promise<FinishedProcess> {
  return runToEnd({ args: ["serve", "--storage", `file:${directory}`], env });
}

async function expectStart(directory: string, env: Environment = {}): Promise<void> {
  await using server = await startServer({ args: ["serve", "--storage", `file:${directory}`], env });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect((await server.stop()).code).toBe(0);
}

/** A process that said so in one line, and never listened. */
const refusal = (message: string): unknown =>
  expect.objectContaining({
    code: 1,
    stderr: `hookwright: ${message}\n`,
    stdout: expect.not.stringContaining("listening"),
  });

const notOriginal = (directory: string): string =>
  `HOOKWRIGHT_SECRET is not the server secret that the data in file:${directory} was written with, so its signing secrets cannot be decrypted.`;

const missing = (directory: string): string =>
  `the data in file:${directory} was written with a server secret, but the file ${directory}/secret is missing and HOOKWRIGHT_SECRET is not set. Put the file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`;

describe("a server on a data directory", () => {
  it("does not start with another HOOKWRIGHT_SECRET, and starts with the original one", async () => {
    const directory = await filledDirectory({ HOOKWRIGHT_SECRET: original });
    expect(await serve(directory, { HOOKWRIGHT_SECRET: other })).toEqual(
      refusal(
        `${notOriginal(directory)} Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.`,
      ),
    );
    expect(await serve(directory)).toEqual(refusal(missing(directory)));
    await expectStart(directory, { HOOKWRIGHT_SECRET: original });
  });

  it("does not replace a secret file that is missing", async () => {
    const directory = await filledDirectory();
    const file = join(directory, "secret");
    const secret = await readFile(file, "utf8");
    await rm(file);
    expect(await serve(directory)).toEqual(refusal(missing(directory)));
    expect(await readdir(directory)).not.toContain("secret");
    await expectStart(directory, { HOOKWRIGHT_SECRET: secret.trim() });
    await writeFile(file, secret, { mode: 0o600 });
    await expectStart(directory);
  });

  it("does not start with another secret file", async () => {
    const directory = await filledDirectory();
    await writeFile(join(directory, "secret"), `${other}\n`, { mode: 0o600 });
    expect(await serve(directory)).toEqual(
      refusal(
        `the file ${directory}/secret does not hold the server secret that the data in file:${directory} was written with, so its signing secrets cannot be decrypted. Put the original file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`,
      ),
    );
  });

  it("says that the secret file would do where HOOKWRIGHT_SECRET does not", async () => {
    const directory = await filledDirectory();
    expect(await serve(directory, { HOOKWRIGHT_SECRET: other })).toEqual(
      refusal(
        `${notOriginal(directory)} Unset HOOKWRIGHT_SECRET: the file ${directory}/secret holds the original secret.`,
      ),
    );
    await expectStart(directory);
  });

  it("checks data of earlier versions, which has no check value, by its signing secrets", async () => {
    const directory = await filledDirectory();
    {
      await using store = await openFilesystemStore({ directory });
      const key = ["p00", "server-secret-check"] as const;
      expect(await store.get(key)).toBeDefined();
      await store.commit("p00", { mutations: [{ type: "delete", key }] });
    }
    expect(await serve(directory, { HOOKWRIGHT_SECRET: other })).toMatchObject({ code: 1 });
    const secret = await readFile(join(directory, "secret"), "utf8");
    await rm(join(directory, "secret"));
    expect(await serve(directory)).toEqual(refusal(missing(directory)));
    await expectStart(directory, { HOOKWRIGHT_SECRET: secret.trim() });
  });

  it("shares one secret with a server that starts on the empty directory at the same time", async () => {
    const directory = join(await temporaryDirectory(), "data");
    const args = ["serve", "--storage", `file:${directory}`];
    const env = { HOOKWRIGHT_HOST_TOKEN: hostToken };
    const [one, two] = await Promise.all([startServer({ args, env }), startServer({ args, env })]);
    await using _ = one;
    await using __ = two;
    const [apiKey = ""] = await createTenants(one, 1, "https://example.com/hooks");
    // A cursor of one is good for the other.
    await call(one, "/host/v1/projects/site_2", {
      method: "PUT",
      body: { account_id: "acc_0", name: "Two" },
    });
    const first = await fetch(`${one.url}/v1/projects?limit=1`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const cursor = /"next_cursor":"([^"]+)"/u.exec(await first.text())?.[1] ?? "";
    const second = await fetch(`${two.url}/v1/projects?limit=1&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(second.status).toBe(200);
  });
});

describe("a backup of a data directory", () => {
  it("is served with its own secret, and with no other", async () => {
    const directory = await filledDirectory();
    const root = await temporaryDirectory();
    const copy = join(root, "copy");
    expect(
      await runToEnd({ args: ["backup", "--storage", `file:${directory}`, "--to", copy] }),
    ).toMatchObject({ code: 0 });
    expect(await serve(copy, { HOOKWRIGHT_SECRET: other })).toMatchObject({ code: 1 });
    await rename(join(copy, "secret"), join(root, "secret"));
    expect(await serve(copy)).toEqual(refusal(missing(copy)));
    await cp(join(root, "secret"), join(copy, "secret"));
    await expectStart(copy);
  });

  it("is not served from where another secret file lies", async () => {
    const directory = await filledDirectory();
    const root = await temporaryDirectory();
    const place = join(root, "place");
    await fillDirectory(place);
    await cp(join(directory, "store-1.mdb"), join(place, "store-1.mdb"));
    expect(await serve(place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the file ${place}/secret does not hold the server secret`),
    });
  });
});

describe.runIf(hasRedisServer)("servers on one Redis", () => {
  const message = (url: string): string =>
    `HOOKWRIGHT_SECRET is not the server secret that the data in ${url} was written with, so its signing secrets cannot be decrypted. Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.`;

  it.each(["all", "api", "worker"])("start with the same secret only, in role %s", async (role) => {
    await using redis = await startRedisServer();
    await using _ = await startOn(redis.url, "api");
    const env = { ...environmentOn(redis.url), HOOKWRIGHT_SECRET: other };
    expect(await runToEnd({ args: ["serve", "--role", role], env })).toEqual(refusal(message(redis.url)));
  });

  it("that start at once on an empty one with different secrets: one of them does not", async () => {
    await using redis = await startRedisServer();
    const starts = await Promise.allSettled(
      [original, other].map((secret) => startOn(redis.url, "api", { HOOKWRIGHT_SECRET: secret })),
    );
    for (const each of starts) if (each.status === "fulfilled") await each.value.kill9();
    const reasons = starts.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(reasons).toEqual([expect.stringContaining(message(redis.url))]);
  });

  it("that start at once on an empty one with the same secret all serve", async () => {
    await using redis = await startRedisServer();
    const [one, two] = await Promise.all([startOn(redis.url, "api"), startOn(redis.url, "worker")]);
    await using _ = one;
    await using __ = two;
    for (const { url } of [one, two]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});
