import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readSecret, readSharedStorage } from "../src/commands/shared-storage.ts";
import { describeUnknownVariables } from "../src/options/unknown-variables.ts";
import { readSettings } from "../src/options/read-settings.ts";
import type { Settings } from "../src/options/read-settings.ts";
import { makeFolder } from "./support/make-folder.ts";

const secret = "a secret of more than 32 characters";
const folder = await makeFolder(afterAll);

function read(environment: Record<string, string>): Settings {
  return readSettings({ flags: {}, environment, demo: false, isTerminal: false });
}

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

describe("a value in a file", () => {
  it.each([
    ["HOOKWRIGHT_SECRET_FILE", secret, "secret"],
    ["HOOKWRIGHT_SECRET_PREVIOUS_FILE", secret, "secretPrevious"],
    ["HOOKWRIGHT_METRICS_TOKEN_FILE", "token", "metricsToken"],
    ["HOOKWRIGHT_PROXY_FILE", "http://user:password@proxy.example.com:3128", "proxy"],
    ["SMTP_URL_FILE", "smtp://user:password@mail.example.com:587", "smtpUrl"],
    ["HOOKWRIGHT_OUTBOX_FILE", "postgres://user:password@db.example.com/shop", "outbox"],
  ] as const)("%s is read without the line break at its end", async (variable, text, key) => {
    const settings = read({ [variable]: await write(variable, `${text}\n`) });
    expect(settings[key]).toBe(text);
    expect(describeUnknownVariables({ [variable]: "x" })).toEqual([]);
  });

  it("may be a list of host tokens", async () => {
    const file = await write("tokens", "shop:publish:one,\n  two\n");
    const { hostToken } = read({ HOOKWRIGHT_HOST_TOKEN_FILE: file });
    expect(hostToken?.map(({ token }) => token)).toEqual(["one", "two"]);
  });

  it("is read by the commands without a server too", async () => {
    const storage = await write("storage", "redis://user:password@redis.example.com:6379\n");
    expect(readSecret({ HOOKWRIGHT_SECRET_FILE: await write("secret", secret) })).toBe(secret);
    expect(readSharedStorage({}, { HOOKWRIGHT_STORAGE_FILE: storage }).type).toBe("redis");
  });

  it("is refused beside its variable, missing, empty, too large or invalid, without showing it", async () => {
    const file = await write("one", secret);
    expect(() => read({ HOOKWRIGHT_SECRET_FILE: file, HOOKWRIGHT_SECRET: secret })).toThrow(
      "HOOKWRIGHT_SECRET_FILE and HOOKWRIGHT_SECRET are both set. Unset one of them.",
    );
    expect(() => read({ HOOKWRIGHT_SECRET_FILE: path.join(folder, "none") })).toThrow(
      /cannot be read \(ENOENT\)/u,
    );
    expect(() => readSecret({ HOOKWRIGHT_SECRET_FILE: folder })).toThrow(/cannot be read \(EISDIR\)/u);
    const empty = await write("empty", " \n");
    expect(() => read({ HOOKWRIGHT_SECRET_FILE: empty })).toThrow(/is empty/u);
    // Deployments name it before there is one.
    expect(read({ HOOKWRIGHT_SECRET_PREVIOUS_FILE: empty }).secretPrevious).toBeUndefined();
    const large = await write("large", "s".repeat(65_537));
    expect(() => read({ HOOKWRIGHT_SECRET_FILE: large })).toThrow(/more than 65536 bytes/u);
    const short = await write("short", "short secret");
    expect(() => read({ HOOKWRIGHT_SECRET_FILE: short })).toThrow(/12 characters, not shown/u);
  });
});
