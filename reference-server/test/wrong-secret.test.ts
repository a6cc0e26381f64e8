import { cp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { createHookwright } from "hookwright";
import { describe, expect, it } from "vitest";
import { runCli } from "../src/cli.ts";
import { environmentOn, startOn } from "./support/fleet.ts";
import { hasRedisServer, startRedisServer } from "./support/redis-server.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { runToEnd } from "./support/server-process.ts";
import { createTestProgram } from "./support/test-program.ts";

const original = "the-original-secret-of-these-tests-0123";
const other = "another-secret-of-these-tests-012345678";

function writeSecretFile(directory: string, secret: string): Promise<void> {
  return writeFile(join(directory, "secret"), `${secret}\n`, { mode: 0o600 });
}

/** A data directory with a webhook, written with the original secret. */
async function filledDirectory({ withSecretFile }: { readonly withSecretFile: boolean }): Promise<string> {
  const directory = join(await makeFolder(), "data");
  await using store = await openFilesystemStore({ directory });
  await using hookwright = await createHookwright({ store, secret: original, role: "api" });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/hooks" },
  );
  if (withSecretFile) await writeSecretFile(directory, original);
  return directory;
}

/** Serves until it listens or fails. */
async function serve(directory: string, secret?: string) {
  const program = createTestProgram({
    commandLine: ["serve", "--storage", `file:${directory}`],
    environment: {
      PORT: "0",
      HOOKWRIGHT_LOG: "json",
      ...(secret === undefined ? {} : { HOOKWRIGHT_SECRET: secret }),
    },
  });
  let listened = false;
  const code = await runCli({
    ...program,
    log(text: string) {
      if (!text.includes('"msg":"listening"')) return;
      listened = true;
      program.send("SIGTERM");
    },
  });
  return { code, listened, complained: program.complained };
}

const started = { code: 0, listened: true, complained: [] };
const refused = (message: string) => ({ code: 1, listened: false, complained: [`hookwright: ${message}`] });

const notOriginal = (directory: string): string =>
  `HOOKWRIGHT_SECRET is not the server secret that the data in file:${directory} was written with, so its signing secrets cannot be decrypted.`;

const missing = (directory: string): string =>
  `the data in file:${directory} was written with a server secret, but the file ${directory}/secret is missing and HOOKWRIGHT_SECRET is not set. Put the file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`;

const otherFile = (directory: string): string =>
  `the file ${directory}/secret does not hold the server secret that the data in file:${directory} was written with, so its signing secrets cannot be decrypted. Put the original file back (a backup of the data directory has it), or set HOOKWRIGHT_SECRET to the original secret.`;

describe("a server on a data directory", () => {
  it("prints one line and exits with 1 if the secret is wrong, and never listens", async () => {
    const directory = await filledDirectory({ withSecretFile: false });
    const ended = await runToEnd({
      args: ["serve", "--storage", `file:${directory}`],
      env: { HOOKWRIGHT_SECRET: other },
    });
    expect(ended).toMatchObject({
      code: 1,
      stderr: `hookwright: ${notOriginal(directory)} Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.\n`,
      stdout: expect.not.stringContaining("listening"),
    });
  });

  it("starts with the original HOOKWRIGHT_SECRET, and not without it", async () => {
    const directory = await filledDirectory({ withSecretFile: false });
    expect(await serve(directory)).toEqual(refused(missing(directory)));
    expect(await serve(directory, original)).toEqual(started);
  });

  it("does not replace a missing secret file", async () => {
    const directory = await filledDirectory({ withSecretFile: true });
    expect(await serve(directory)).toEqual(started);
    await rm(join(directory, "secret"));
    expect(await serve(directory)).toEqual(refused(missing(directory)));
    expect(await readdir(directory)).not.toContain("secret");
    await writeSecretFile(directory, original);
    expect(await serve(directory)).toEqual(started);
  });

  it("does not start with another secret file", async () => {
    const directory = await filledDirectory({ withSecretFile: false });
    await writeSecretFile(directory, other);
    expect(await serve(directory)).toEqual(refused(otherFile(directory)));
    expect(await serve(directory, original)).toEqual(started);
  });

  it("says that the secret file has the original if HOOKWRIGHT_SECRET does not", async () => {
    const directory = await filledDirectory({ withSecretFile: true });
    expect(await serve(directory, other)).toEqual(
      refused(
        `${notOriginal(directory)} Unset HOOKWRIGHT_SECRET: the file ${directory}/secret holds the original secret.`,
      ),
    );
    expect(await serve(directory)).toEqual(started);
  });
});

describe("a backup of a data directory", () => {
  async function backUp(directory: string): Promise<string> {
    const copy = join(await makeFolder(), "copy");
    const commandLine = ["backup", "--storage", `file:${directory}`, "--to", copy];
    expect(await runCommand(commandLine)).toMatchObject({ code: 0 });
    return copy;
  }

  it("can be served with its own secret only", async () => {
    const copy = await backUp(await filledDirectory({ withSecretFile: true }));
    expect(await serve(copy, other)).toMatchObject({ code: 1, listened: false });
    await rename(join(copy, "secret"), `${copy}-secret`);
    expect(await serve(copy)).toEqual(refused(missing(copy)));
    await rename(`${copy}-secret`, join(copy, "secret"));
    expect(await serve(copy)).toEqual(started);
  });

  it("cannot be served from a directory with another secret file", async () => {
    const copy = await backUp(await filledDirectory({ withSecretFile: true }));
    const place = join(await makeFolder(), "place");
    expect(await serve(place)).toEqual(started);
    await cp(join(copy, "store-1.mdb"), join(place, "store-1.mdb"));
    expect(await serve(place)).toEqual(refused(otherFile(place)));
  });
});

describe.runIf(hasRedisServer)("servers on one Redis", () => {
  const message = (url: string): string =>
    `HOOKWRIGHT_SECRET is not the server secret that the data in ${url} was written with, so its signing secrets cannot be decrypted. Set HOOKWRIGHT_SECRET to the original secret, or use an empty --storage.`;

  it("start only with the same secret, in every role", async () => {
    await using redis = await startRedisServer();
    await using _ = await startOn(redis.url, "api");
    const environment = { ...environmentOn(redis.url), PORT: "0", HOOKWRIGHT_SECRET: other };
    for (const role of ["all", "api", "worker"]) {
      expect(await runCommand(["serve", "--role", role], environment)).toMatchObject({
        code: 1,
        complained: `hookwright: ${message(redis.url)}`,
        printed: expect.not.stringContaining("listening"),
      });
    }
  });
});
