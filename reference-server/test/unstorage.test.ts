import { join } from "node:path";
import { createHookwright } from "hookwright";
import { expect, it } from "vitest";
import { openStore } from "../src/open-store.ts";
import { describeSettings } from "../src/options/describe-settings.ts";
import { readSettings } from "../src/options/read-settings.ts";
import { describeStorage, parseStorageLocation } from "../src/storage-location.ts";
import type { StorageLocation } from "../src/storage-location.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";

const secret = "the-server-secret-of-these-tests-0123456789";
const newSecret = "another-server-secret-of-these-tests-0123456";

const read = (storage: string, more: Readonly<Record<string, string>> = {}) =>
  readSettings({
    flags: { storage },
    demo: false,
    isTerminal: false,
    environment: { HOOKWRIGHT_SECRET: secret, ...more },
  });

it("options are decoded, and + stays a +", () => {
  expect(parseStorageLocation("unstorage:fs?base=/var/my%20data")).toEqual({
    type: "unstorage",
    driver: "fs",
    options: { base: "/var/my data" },
  });
  expect(parseStorageLocation("unstorage:azure-storage-blob?accountName=shop&accountKey=a+b/c==")).toEqual({
    type: "unstorage",
    driver: "azure-storage-blob",
    options: { accountName: "shop", accountKey: "a+b/c==" },
  });
});

it.each([
  ["unstorage:fss?base=x", 'The driver "fss" of unstorage cannot be used. Use one of fs, fs-lite, http, '],
  ["unstorage:s3?bucket=x", "It lists only the first 1,000 objects"],
  ["unstorage:redis?host=x", "Write redis://…"],
  ["unstorage:toString", 'The driver "toString" of unstorage cannot be used.'],
  ["unstorage:fs", "The driver fs needs the option base: unstorage:fs?base=…."],
  ["unstorage:fs?bas=x", 'The driver fs has no option "bas". It has base.'],
  ["unstorage:fs?base=x&base=y", "The option base is there twice."],
  ["unstorage:fs?base=%zz", "The option base of the driver fs must be a text"],
])("%s is refused, and the message says why", (storage, message) => {
  expect(() => read(storage)).toThrow(message);
});

it("secrets and passwords are in no message and no log line", async () => {
  const urls = [
    "unstorage:azure-storage-blob?accountName=shop&accountKey=hunter2",
    "unstorage:mongodb?connectionString=mongodb://shop:hunter2@db.internal/shop",
    "unstorage:http?base=http://shop:hunter2@127.0.0.1:9",
  ];
  for (const url of urls) {
    expect(JSON.stringify(describeSettings(read(url)))).not.toContain("hunter2");
    expect(() => read(`${url}&unknown=1`)).toThrow(/^(?!.*hunter2)/su);
    const opening = openStore(read(url).storage, {
      tlsFiles: { redisCa: undefined, redisCert: undefined, redisKey: undefined },
      onWarning: () => {},
    });
    await expect(opening).rejects.toThrow(/^--storage(?!.*hunter2)/su);
  }
  expect(describeStorage(read("unstorage:fs?base=data").storage)).toBe("unstorage:fs?base=data");
});

it.each(["check-storage", "doctor"])(
  "%s names the command that installs what a driver needs",
  async (command) => {
    const storage = "unstorage:mongodb?connectionString=mongodb://127.0.0.1/x";
    const ended = await runCommand([command, "--storage", storage], { HOOKWRIGHT_SECRET: secret });
    expect(ended.code).toBe(1);
    expect(ended.printed + ended.complained).toContain("npm install mongodb");
  },
);

it("a role that needs other processes, and a missing secret, are refused", () => {
  expect(() => read("unstorage:fs?base=x", { HOOKWRIGHT_ROLE: "worker" })).toThrow(
    "must be all with unstorage, which only one process can use",
  );
  expect(() => read("unstorage:fs?base=x", { HOOKWRIGHT_SECRET: "" })).toThrow(
    "HOOKWRIGHT_SECRET must be set with unstorage, to the same text at every start",
  );
});

it("commands work while no server runs, and say what to do otherwise", async () => {
  const directory = await makeFolder();
  const storageAt = (name: string) => `unstorage:fs?base=${encodeURIComponent(join(directory, name))}`;
  const storage = storageAt("data");
  const file = join(directory, "account.ndjson");
  /** The exit code and the messages. */
  const run = async (commandLine: readonly string[], environment = {}): Promise<string> => {
    const variables = { HOOKWRIGHT_STORAGE: storage, HOOKWRIGHT_SECRET: secret, ...environment };
    const { code, complained, printed } = await runCommand(commandLine, variables);
    return `${code}: ${complained}\n${printed}`;
  };
  const both = { HOOKWRIGHT_SECRET: newSecret, HOOKWRIGHT_SECRET_PREVIOUS: secret };
  const location: StorageLocation = read(storage).storage;
  const openOptions = { tlsFiles: read(storage), onWarning: () => {} };
  {
    await using store = await openStore(location, openOptions);
    await using hookwright = await createHookwright({ store, secret, role: "api" });
    await hookwright.accounts.put("acc_1", { name: "Shop", email: "shop@example.com", status: "suspended" });
    for (const command of [
      ["check-storage"],
      ["export", "--account", "acc_1"],
      ["import", "--from", join(directory, "none")],
    ])
      expect(await run(command)).toMatch(/^1: .*(?:Stop the other process|none)/su);
    expect(await run(["rotate-secret"], both)).toMatch(/^1: .*Stop the other process/su);
  }
  expect(await run(["check-storage"])).toMatch(/^0: .*nothing is damaged/su);
  expect(await run(["export", "--account", "acc_1", "--to", file])).toMatch(/^0: exported acc_1/su);
  expect(await run(["import", "--storage", storageAt("other"), "--from", file])).toMatch(
    /^0: imported acc_1/su,
  );
  expect(await run(["rotate-secret"], both)).toMatch(/^0: .*rotated the server secret/su);
  expect(await run(["check-storage"], { HOOKWRIGHT_SECRET: newSecret })).toMatch(/^0: /u);
  expect(await run(["backup", "--to", join(directory, "copy")])).toMatch(
    /^2: .*stop the server and copy the items/su,
  );
  expect(await run(["doctor"])).toContain("only the server process can open an unstorage storage");
});
