import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, readdir, rename, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { copyFilesystemStore, openFilesystemStore } from "@hookwright/storage/filesystem";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const user = 10_001;
/** Opens each directory as another user, and prints what happens. */
const program = `
  const { openFilesystemStore } = await import(${JSON.stringify(new URL("../src/filesystem.ts", import.meta.url))});
  process.setgroups([]);
  process.setgid(${user});
  process.setuid(${user});
  const results = [];
  for (const directory of process.argv.slice(1))
    results.push(await openFilesystemStore({ directory }).then(
      (store) => store.close().then(() => "open"),
      ({ code, message }) => code + ": " + message,
    ));
  console.log(JSON.stringify(results));
`;

async function openAsUser(directories: readonly string[]): Promise<readonly string[]> {
  const args = ["--input-type=module", "--eval", program, ...directories];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

const whyNot =
  process.getuid?.() === 0
    ? await openAsUser([]).then(() => undefined, String)
    : "only root may become another user";
if (whyNot !== undefined)
  process.stderr.write(`The tests of files of another user did not run: ${whyNot.split("\n", 1).join("")}\n`);

async function usersDirectory(): Promise<string> {
  const root = await temporaryDirectory();
  await chmod(root, 0o755);
  const directory = join(root, "data");
  await mkdir(directory);
  await chown(directory, user, user);
  return directory;
}

async function ownersIn(directory: string): Promise<readonly number[]> {
  const names = [".", ...(await readdir(directory))];
  return Promise.all(names.map(async (name) => (await stat(join(directory, name))).uid));
}

describe.skipIf(whyNot !== undefined)("in a directory of another user", () => {
  it("root creates no file of its own, whether it opens or copies a store", async () => {
    const directory = await usersDirectory();
    const store = await openFilesystemStore({ directory });
    await store.commit("p05", { mutations: [], notify: [["p05", "a"]] });
    await store.close();
    await copyFilesystemStore({ directory, to: join(directory, "backups", "one") });
    const copy = join(directory, "backups", "one");
    expect(await readdir(directory)).toHaveLength(6);
    for (const each of [directory, join(directory, "backups"), copy])
      expect(new Set(await ownersIn(each))).toEqual(new Set([user]));
    expect(await openAsUser([directory, copy])).toEqual(["open", "open"]);
  });

  it("a file of root is named with its owner and the remedy, and the process survives", async () => {
    const directory = await usersDirectory();
    await (await openFilesystemStore({ directory })).close();
    const files = ["gate.mdb", "gate.mdb-lock", "store-1.mdb", "store-1.mdb-lock"];
    const directories = files.map((file) => `${directory}-${file}`);
    for (const [index, copy] of directories.entries()) {
      await cp(directory, copy, { recursive: true });
      for (const name of [".", ...(await readdir(copy))])
        await chown(join(copy, name), name === files[index] ? 0 : user, user);
    }
    const advice = "As root, run: chown -R 10001:10001";
    expect(await openAsUser(directories)).toEqual(
      directories.map(
        (copy, index) =>
          `directory_unusable: The directory ${copy} cannot be used: ${copy}/${files[index]} belongs to root, and this process (user 10001) may not read and write it. ${advice} ${copy}`,
      ),
    );
  });

  it("the owner of a directory is named, also if the directory cannot be reached", async () => {
    const directory = await usersDirectory();
    await chown(directory, 10_002, 10_002);
    await chmod(directory, 0o700);
    // As systemd does it for a dynamic user.
    const link = `${directory}-link`;
    await symlink(join(directory, "inside"), link);
    await mkdir(join(directory, "inside"));
    const missing = `${directory}-missing`;
    const closed = `${directory}-closed`;
    await rename(await usersDirectory(), closed);
    await chmod(closed, 0o500);
    expect(await openAsUser([directory, link, missing, closed])).toEqual([
      expect.stringMatching(
        /data belongs to user 10002, .+ Run it as user 10002, or .+ chown -R 10001:10001 .+data$/u,
      ),
      expect.stringMatching(/data-link cannot be reached by this process \(user 10001\)\. Run it as root/u),
      expect.stringMatching(
        /belongs to root, and this process \(user 10001\) may not use it\. Run it as root/u,
      ),
      expect.stringMatching(/data-closed has the mode 0500, .+ Run: chmod u\+rwx .+data-closed$/u),
    ]);
  });
});
