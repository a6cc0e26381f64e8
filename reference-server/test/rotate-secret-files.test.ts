import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { createHookwright } from "hookwright";
import { beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";

const original = "the-original-secret-of-these-tests-0123";
let root: string;
let directory: string;

beforeEach(async () => {
  root = await makeFolder();
  directory = join(root, "data");
  await using store = await openFilesystemStore({ directory });
  await using hookwright = await createHookwright({ store, secret: original, role: "api" });
  await hookwright.accounts.put("acc_1", { email: "owner@example.com" });
  await hookwright.webhooks.create(
    { accountId: "acc_1", credential: { type: "console" } },
    { event: "order.created", target_url: "https://example.com/hooks" },
  );
  await writeSecret("secret", original);
});

const writeSecret = (name: string, secret: string): Promise<void> =>
  writeFile(join(directory, name), `${secret}\n`, { mode: 0o600 });

const readSecret = async (name: string, of = directory): Promise<string> =>
  (await readFile(join(of, name), "utf8")).trim();

const run = (...commandLine: readonly string[]) =>
  runCommand([...commandLine, "--storage", `file:${directory}`]);

/** Whether the data is accepted with these secrets. */
async function starts(secret: string, previousSecrets: readonly string[] = []): Promise<boolean> {
  await using store = await openFilesystemStore({ directory });
  try {
    await using _ = await createHookwright({ store, secret, previousSecrets, role: "api" });
    return true;
  } catch {
    return false;
  }
}

describe("the secret of a data directory", () => {
  it("is kept beside the new one until everything is encrypted with the new one", async () => {
    expect(await run("rotate-secret")).toMatchObject({
      code: 0,
      complained: [
        `created a new secret in ${directory}/secret, and kept the present one as ${directory}/secret.previous`,
        "Now restart every server on this directory, then run this command again.",
      ].join("\n"),
    });
    const renewed = await readSecret("secret");
    expect(renewed).not.toBe(original);
    expect(await readSecret("secret.previous")).toBe(original);
    expect(await starts(original)).toBe(true);
    expect(await starts(renewed, [original])).toBe(true);

    expect(await run("rotate-secret")).toMatchObject({
      code: 0,
      complained: expect.stringContaining(
        `rotated the server secret of file:${directory}: encrypted 1 of 1 webhooks and listeners again\nThe servers go on with the new secret.`,
      ),
    });
    expect(await readSecret("secret")).toBe(renewed);
    expect(await readdir(directory)).not.toContain("secret.previous");
    expect(await starts(renewed)).toBe(true);
    expect(await starts(original)).toBe(false);
  });

  it("is not lost if the first step dies between its two files", async () => {
    await writeSecret("secret.previous", original);
    expect(await run("rotate-secret")).toMatchObject({ code: 0 });
    expect(await readSecret("secret")).not.toBe(original);
    expect(await readSecret("secret.previous")).toBe(original);
  });

  it("is in a backup together with the one before it", async () => {
    await run("rotate-secret");
    const copy = join(root, "copy");
    expect(await run("backup", "--to", copy)).toMatchObject({ code: 0 });
    expect(await readSecret("secret", copy)).toBe(await readSecret("secret"));
    expect(await readSecret("secret.previous", copy)).toBe(original);
  });

  it("must be replaced completely before an account is exported", async () => {
    await run("rotate-secret");
    const refused = await run("export", "--account", "acc_1", "--to", join(root, "account.ndjson"));
    expect(refused).toMatchObject({
      code: 1,
      complained: `hookwright: the server secret of the data in file:${directory} is being replaced, and one of the two secrets is not enough. Servers need HOOKWRIGHT_SECRET and HOOKWRIGHT_SECRET_PREVIOUS, or the files \`secret\` and \`secret.previous\`. Complete the replacement with \`hookwright rotate-secret\` before you use other commands.`,
    });
  });

  it("is not replaced if the file is missing or not the right one", async () => {
    await writeSecret("secret", "another-secret-of-these-tests-012345678");
    expect(await run("rotate-secret")).toMatchObject({
      code: 1,
      complained: expect.stringContaining("does not hold the server secret"),
    });
    await rm(join(directory, "secret"));
    expect(await run("rotate-secret")).toMatchObject({
      code: 1,
      complained: `hookwright: file:${directory} has no file \`secret\`. If the servers have HOOKWRIGHT_SECRET, set HOOKWRIGHT_SECRET to the new secret and HOOKWRIGHT_SECRET_PREVIOUS to the present one.`,
    });
    expect(await readdir(directory)).not.toContain("secret.previous");
  });
});
