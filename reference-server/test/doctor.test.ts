import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createServer } from "node:tls";
import { openFilesystemStore } from "@hookwright/storage/filesystem";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { openConnectProxy } from "../../packages/delivery/test/transport/support/connect-proxy.ts";
import { fillStore } from "./support/filled-store.ts";
import { startMailServer } from "./support/mail-server.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { startServer } from "./support/server-process.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

const secret = "a secret of these tests, 32 and more";
const otherSecret = "another secret of these tests, 32 long";

const root = await makeFolder(afterAll);

/** Runs the command. An endpoint that answers at once takes the place of the Internet. */
async function examine(environment: Record<string, string>, ...args: string[]) {
  const { code, printed: text } = await runCommand(["doctor", "--json", ...args], {
    PORT: "0",
    HOOKWRIGHT_HOST_TOKEN: "host-token-of-these-tests",
    ...environment,
  });
  const { ok, checks } = JSON.parse(text) as {
    ok: boolean;
    checks: { name: string; status: string; message: string; fix?: string }[];
  };
  const find = (name: string) => checks.find((check) => check.name === name);
  return { code, ok, text, find, names: checks.map(({ name }) => name) };
}

async function openEndpoint() {
  const authority = createCertificate({ name: "Test authority", isAuthority: true });
  const { key, cert } = createCertificate({ name: "127.0.0.1", issuer: authority });
  const server = createServer({ key, cert }, (socket) => socket.on("error", () => socket.destroy()));
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  const { port } = local;
  const file = path.join(root, `${port}.pem`);
  await writeFile(file, authority.cert);
  return { url: `https://127.0.0.1:${port}`, variables: { HOOKWRIGHT_DELIVERY_CA: file } };
}

describe("a complete installation", () => {
  it(
    "is all well beside a running server, and nothing of the checks stays",
    { timeout: 60_000 },
    async () => {
      const endpoint = await openEndpoint();
      const proxy = await openConnectProxy({ refuses: (target) => target !== new URL(endpoint.url).host });
      await using mail = await startMailServer();
      await using server = await startServer({
        env: { HOOKWRIGHT_HOST_TOKEN: "host-token-of-these-tests" },
      });
      const directory = path.join(server.directory, ".hookwright");
      const { code, ok, find, names, text } = await examine(
        {
          HOOKWRIGHT_STORAGE: `file:${directory}`,
          PORT: new URL(server.url).port,
          HOOKWRIGHT_PUBLIC_URL: server.url,
          HOOKWRIGHT_PROXY: `http://user:hidden@127.0.0.1:${proxy.port}`,
          HOOKWRIGHT_SOURCE_ADDRESS: "127.0.0.2",
          SMTP_URL: mail.url,
          ...endpoint.variables,
        },
        "--probe-url",
        endpoint.url,
      );
      expect(names).toEqual([
        "settings",
        "files",
        "port",
        "admin port",
        "storage",
        "durability",
        "space",
        "secret",
        "data",
        "events",
        "outbox",
        "clock",
        "versions",
        "egress",
        "dns",
        "proxy",
        "tls",
        "smtp",
      ]);
      expect(text).not.toContain('"failed"');
      expect({ code, ok }).toEqual({ code: 0, ok: true });
      expect(find("port")).toMatchObject({
        status: "ok",
        message: expect.stringMatching(/^a Hookwright server answers on port \d+ of 127\.0\.0\.1, so/u),
      });
      expect(find("proxy")?.message).toMatch(
        /refuses private addresses and opens a tunnel to 127\.0\.0\.1:/u,
      );
      expect(find("storage")?.message).toMatch(
        /^file:.+: reads take [\d.]+ ms \(at most [\d.]+ ms\), writes /u,
      );
      expect(find("secret")).toMatchObject({ status: "ok" });
      // The server has made a secret, and there is no account.
      expect(find("data")).toMatchObject({
        status: "warning",
        message: expect.stringMatching(/^file:.+ has no account, although the file `secret` exists$/u),
        fix: expect.stringContaining("the backup was not read"),
      });
      expect(find("clock")?.message).toMatch(/^the clock of the public URL is \d+ ms/u);
      expect(find("tls")?.message).toMatch(/answers with TLSv1\.3 after \d+ ms$/u);
      expect(find("smtp")).toMatchObject({
        status: "ok",
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ accepts the sign-in$/u),
      });
      expect(mail.mails).toEqual([]);
      expect(proxy.tunnels.every(({ authorization }) => authorization !== undefined)).toBe(true);
      expect(text).not.toMatch(/hidden|:password/u);
      await server.stop();
      await using store = await openFilesystemStore({ directory });
      expect(await store.list({ prefix: ["p00", "readiness"], limit: 10 })).toEqual([]);
    },
  );

  it("is printed as one line for each check", async () => {
    const { code, printed } = await runCommand(["doctor"], { HOOKWRIGHT_STORAGE: "memory", PORT: "0" });
    expect(code).toBe(0);
    const lines = printed.split("\n");
    expect(lines).toHaveLength(18);
    expect(lines[4]).toBe("skipped  storage     the data in memory belongs to the server process");
  });
});

describe("a problem is named with what to fix", () => {
  it("of the network", async () => {
    const { code, find, text } = await examine(
      {
        HOOKWRIGHT_STORAGE: `file:${path.join(root, "missing")}`,
        HOOKWRIGHT_PROXY: "http://user:hidden@127.0.0.1:1",
        HOOKWRIGHT_SOURCE_ADDRESS: "192.0.2.7",
        HOOKWRIGHT_PUBLIC_URL: "http://127.0.0.1:1",
        SMTP_URL: "smtp://user:hidden@127.0.0.1:1",
      },
      "--probe-url",
      "https://does-not-exist.invalid",
    );
    expect(code).toBe(1);
    expect(find("storage")).toMatchObject({
      status: "skipped",
      message: expect.stringMatching(/does not exist\. A server creates it/u),
    });
    expect(find("egress")).toMatchObject({
      status: "failed",
      message: expect.stringMatching(/--source-address .* must be an IP address of this machine; .+\.$/u),
    });
    expect(find("proxy")).toMatchObject({
      status: "failed",
      message: expect.stringContaining("127.0.0.1:1 cannot be reached"),
      fix: expect.stringContaining("HOOKWRIGHT_PROXY"),
    });
    expect(find("tls")).toMatchObject({ status: "failed" });
    expect(find("smtp")).toMatchObject({ status: "failed", fix: expect.stringContaining("SMTP_URL") });
    expect(find("clock")).toMatchObject({ status: "skipped" });
    expect(text).not.toContain("hidden");
  });

  it("of a secret", async () => {
    const directory = path.join(root, "data");
    {
      await using store = await openFilesystemStore({ directory });
      await fillStore(store, { secret });
    }
    const secretOf = async (variables: Record<string, string>) =>
      (await examine({ HOOKWRIGHT_STORAGE: `file:${directory}`, ...variables })).find("secret");
    expect(await secretOf({ HOOKWRIGHT_SECRET: secret })).toMatchObject({
      status: "ok",
      message: "HOOKWRIGHT_SECRET has 36 characters and opens the stored values",
    });
    expect(await secretOf({ HOOKWRIGHT_SECRET: otherSecret })).toMatchObject({
      status: "failed",
      message: expect.stringContaining("HOOKWRIGHT_SECRET is not the server secret that the data in"),
    });
    expect(await secretOf({})).toMatchObject({
      status: "failed",
      message: expect.stringContaining("was written with a server secret, but the file"),
    });
    const both = { HOOKWRIGHT_SECRET: otherSecret, HOOKWRIGHT_SECRET_PREVIOUS: secret };
    expect(await secretOf(both)).toMatchObject({
      status: "ok",
      message: expect.stringContaining("previous secret is still in use"),
    });
  });
});
