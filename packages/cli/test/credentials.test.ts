import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeLogins } from "../src/credentials/credentials-file.ts";
import { resolveCredential } from "../src/credentials/resolve.ts";
import type { ResolveOptions } from "../src/credentials/resolve.ts";

const here = "http://127.0.0.1:3000";
const login = "https://login.example.com";
const other = "https://other.example.com";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-cli-"));
  const stored = { token: "stored", kind: "key", expiresAt: undefined, account: "Bakery" } as const;
  await writeLogins(path.join(folder, "hookwright", "credentials.json"), {
    current: login,
    byServer: new Map([[login, stored]]),
  });
});
afterAll(() => rm(folder, { recursive: true }));

interface Given {
  readonly server?: string;
  readonly key?: string;
  readonly serverVariable?: string;
  readonly keyVariable?: string;
}

async function resolve(
  { server, key, serverVariable, keyVariable }: Given,
  options?: ResolveOptions,
): Promise<object> {
  const environment = {
    XDG_CONFIG_HOME: folder,
    HOOKWRIGHT_SERVER: serverVariable,
    HOOKWRIGHT_API_KEY: keyVariable,
  };
  const resolved = await resolveCredential({ server, key }, environment, options);
  return { server: resolved.server, token: resolved.token };
}

describe("after a login", () => {
  it.each<[given: Given, server: string, token: string | undefined]>([
    [{}, login, "stored"],
    [{ server: login }, login, "stored"],
    [{ serverVariable: `${login}/` }, login, "stored"],
    [{ server: other }, other, undefined],
    [{ serverVariable: other }, other, undefined],
    [{ server: `${login}.evil.com` }, `${login}.evil.com`, undefined],
    [{ key: "k" }, here, "k"],
    [{ keyVariable: "v" }, here, "v"],
    [{ key: "k", keyVariable: "v" }, here, "k"],
    [{ key: "k", server: other }, other, "k"],
    [{ key: "k", serverVariable: other }, other, "k"],
    [{ keyVariable: "v", server: other }, other, "v"],
    [{ keyVariable: "v", serverVariable: other }, other, "v"],
    // Both variables belong together.
    [{ keyVariable: "v", serverVariable: other, server: here }, here, undefined],
    [{ keyVariable: "v", serverVariable: other, server: login }, login, "stored"],
    [{ keyVariable: "v", serverVariable: other, server: `${other}/` }, other, "v"],
    [{ key: "k", keyVariable: "v", serverVariable: other, server: here }, here, "k"],
  ])("%j uses %s and %s", async (given, server, token) => {
    expect(await resolve(given)).toEqual({ server, token });
  });

  it("login and logout without a server mean that of the last login, whatever HOOKWRIGHT_API_KEY is", async () => {
    expect(await resolve({ keyVariable: "v" }, { usesVariableKey: false })).toEqual({
      server: login,
      token: "stored",
    });
  });
});

it("a credentials file that cannot be replaced leaves no temporary file behind", async () => {
  const file = path.join(folder, "blocked", "credentials.json");
  // A folder cannot be replaced by a file.
  await mkdir(file, { recursive: true });
  await writeFile(path.join(file, "inside"), "");
  const stored = { token: "secret", kind: "key", expiresAt: undefined, account: "" } as const;
  await expect(writeLogins(file, { current: login, byServer: new Map([[login, stored]]) })).rejects.toThrow(
    `${file} cannot be written`,
  );
  expect(await readdir(path.dirname(file))).toEqual(["credentials.json"]);
});

it.each([
  ["--key", { key: "hwk_secret\nhwk_other" }],
  ["HOOKWRIGHT_API_KEY", { keyVariable: "hwk_secret other" }],
  ["HOOKWRIGHT_API_KEY", { keyVariable: "hwk_schlüssel" }],
])("a text in %s that no header can have is refused and not shown", async (name, given) => {
  const refused = resolve(given);
  await expect(refused).rejects.toMatchObject({
    code: "wrong_usage",
    message: expect.stringContaining(name),
  });
  await expect(refused).rejects.not.toThrow(/hwk_/u);
});
