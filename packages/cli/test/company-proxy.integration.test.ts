import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCertificate } from "../../delivery/test/transport/support/certificate.ts";
import { openConnectProxy } from "../../delivery/test/transport/support/connect-proxy.ts";
import type { ConnectProxyOptions } from "../../delivery/test/transport/support/connect-proxy.ts";
import { listenLocally } from "../../hookwright/test/support/listen-locally.ts";
import type { LocalServer } from "../../hookwright/test/support/listen-locally.ts";
import { runProcess } from "./support/run-process.ts";

const page = new URL("../../../docs/guide/company-proxies.md", import.meta.url);

/** The name does not exist: only the proxy leads to the server. */
const name = "hooks.hookwright.invalid";
const certificate = createCertificate({ name, isAuthority: true });
const account = { id: "acc_1", name: "Bakery", email: "ada@example.com", plan: { name: "pro" } };
const server = createServer(certificate, (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ success: true, data: account }));
});
let folder = "";
let listening: LocalServer;
let url = "";

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hookwright-proxy-"));
  await writeFile(path.join(folder, "company.pem"), certificate.cert);
  listening = await listenLocally(server);
  url = `https://${name}:${listening.port}`;
});
afterAll(async () => {
  await listening[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The variables of the page, for a proxy of this machine. */
const variables = (port: number) => ({
  NODE_USE_ENV_PROXY: "1",
  HTTPS_PROXY: `http://ada:geheim@127.0.0.1:${port}`,
  NODE_EXTRA_CA_CERTS: path.join(folder, "company.pem"),
});

const whoami = (env: Readonly<Record<string, string>>) =>
  runProcess(["whoami", "--server", url, "--key", "hwk_1"], { env });

it("with the variables of the page, the command line reaches the server through the proxy", async () => {
  const proxy = await openConnectProxy();
  const { code, stdout, stderr } = await whoami(variables(proxy.port));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Bakery (acc_1)");
  expect(proxy.tunnels).toEqual([
    { target: new URL(url).host, authorization: `Basic ${Buffer.from("ada:geheim").toString("base64")}` },
  ]);
});

interface Problem {
  /** How the page names the error. */
  readonly seen: string;
  readonly proxy?: ConnectProxyOptions;
  /** Replaces variables. Those that are undefined are not set. */
  readonly change?: Readonly<Record<string, string | undefined>>;
}

const answering = (head: string): ConnectProxyOptions => ({
  answer: (client) => client.end(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`),
});

const problems: readonly Problem[] = [
  { seen: "Node uses it only with NODE_USE_ENV_PROXY=1", change: { NODE_USE_ENV_PROXY: undefined } },
  { seen: "getaddrinfo ENOTFOUND", change: { NO_PROXY: name } },
  { seen: "connect ECONNREFUSED", change: { HTTPS_PROXY: "http://127.0.0.1:1" } },
  { seen: "the proxy answered 407", proxy: answering("407 Proxy Authentication Required") },
  { seen: "the proxy answered 403", proxy: answering("403 Forbidden") },
  { seen: "the proxy answered 502", proxy: answering("502 Bad Gateway") },
  { seen: "its certificate is not accepted", change: { NODE_EXTRA_CA_CERTS: undefined } },
  { seen: "Ignoring extra certs from", change: { NODE_EXTRA_CA_CERTS: "/missing.pem" } },
];

it.each(problems)("the page explains `$seen`", async ({ seen, proxy, change }) => {
  const { port } = await openConnectProxy(proxy);
  const changed = Object.entries({ ...variables(port), ...change });
  const env = Object.fromEntries(
    changed.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { code, stderr } = await whoami(env);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(seen) });
  expect(stderr).not.toContain("geheim");
});

it("the page explains no other error", async () => {
  const [, table = ""] = (await readFile(page, "utf8")).split("## What the errors mean");
  const rows = [...table.matchAll(/^\| `([^`]+)`/gmu)].map(([, text]) => text);
  expect(rows).toEqual(problems.map(({ seen }) => seen));
});
