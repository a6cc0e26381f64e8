import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { sampleDeliveryBody } from "@hookwright/domain";
import { verifySync } from "@hookwright/signature/node";
import { memoryStore } from "@hookwright/storage/memory";
import { createHookwright } from "hookwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cliCommands } from "../../packages/console/site/console/parts/cli-commands.ts";
import { createCertificate } from "../../packages/delivery/test/transport/support/certificate.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

/** A server below a base path, with a certificate that only this test trusts. There is no registry. */
async function openServer() {
  const folder = mkdtempSync(path.join(tmpdir(), "hookwright-npx-"));
  const certificate = createCertificate({ name: "127.0.0.1", isAuthority: true });
  writeFileSync(path.join(folder, "certificate.pem"), certificate.cert);
  const hookwright = await createHookwright({
    store: memoryStore(),
    secret: "a test secret of 32 characters!!",
    basePath: "/integrations",
    privateTargets: true,
    retryDelaysSeconds: [],
  });
  await hookwright.accounts.put("acc_1", { name: "Bakery", email: "ada@example.com" });
  await hookwright.projects.put("site_1", { account_id: "acc_1", name: "Bakery" });
  const { api_key: key } = await hookwright.apiKeys.create("acc_1", { name: "CLI" });
  const server = await listenLocally(createServer(certificate, hookwright.handler));
  const url = `https://127.0.0.1:${server.port}/integrations`;
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    NODE_EXTRA_CA_CERTS: path.join(folder, "certificate.pem"),
    npm_config_cache: path.join(folder, "npm"),
    // Nothing listens there. npm would try a registry again and again.
    npm_config_registry: "http://127.0.0.1:9/",
    // npx asks on a terminal.
    npm_config_yes: "true",
    npm_config_update_notifier: "false",
  };
  return {
    hookwright,
    key,
    url,
    folder,
    start: (command: string) => spawn("sh", ["-c", command], { cwd: folder, env: environment }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await hookwright.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs a command until it ends, or until it has printed a text. */
async function run(command: string, { until, input }: { until?: string; input?: string } = {}) {
  const child = server.start(command);
  let output = "";
  const ended = once(child, "close");
  const printed = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (until !== undefined && output.includes(until)) resolve();
      });
  });
  if (input !== undefined) child.stdin.write(input);
  await (until === undefined ? ended : Promise.race([printed, ended]));
  const status = () => child.exitCode;
  return {
    output: () => output,
    status,
    async stop() {
      child.stdin.end();
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A delivery of a webhook of the key, and what its endpoint receives. */
async function openDelivery() {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const receiver = await listenLocally(
    createHttpServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      response.writeHead(503).end();
    }),
  );
  const created = await fetchAsKey("v1/webhooks", {
    event: "review.submitted",
    target_url: `${receiver.origin}/hook?a=it's`,
  });
  const { deliveries } = await server.hookwright.publish({
    event: "review.submitted",
    project_id: "site_1",
    data: {
      ...sampleDeliveryBody("review.submitted").data,
      id: "rev_1",
      content: "It’s “good” $HOME `x` 'y'",
    },
  });
  await expect.poll(() => received.length).toBe(1);
  const id = deliveries[0] ?? "";
  const get = async () => (await server.hookwright.deliveries.get("acc_1", id)).attempts.length;
  await expect.poll(get).toBe(1);
  return {
    id,
    secret: created.signing_secret,
    secrets: [created.signing_secret],
    received,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function fetchAsKey(route: string, json: object) {
  const request = new Request(`http://localhost/integrations/${route}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  return JSON.parse(await (await server.hookwright.fetch(request)).text()).data;
}

const get = (page: string, init?: RequestInit): Promise<Response> =>
  server.hookwright.fetch(new Request(`http://localhost/integrations/console${page}`, init));
it.each([
  { name: "cli.tgz", kibibytes: 72, has: [] },
  {
    name: "signature.tgz",
    kibibytes: 64,
    has: ["dist/index.js", "dist/index.d.ts", "verifiers/python/hookwright_signature.py"],
  },
])(
  "the server has $name as a small file without dependencies, without a login",
  async ({ name, kibibytes, has }) => {
    const response = await get(`/${name}`);
    const headers = Object.fromEntries(response.headers);
    expect([response.status, headers]).toMatchObject([
      200,
      { "content-type": "application/gzip", "cache-control": "no-cache" },
    ]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.length).toBeLessThan(kibibytes * 1_024);
    const file = path.join(server.folder, name);
    writeFileSync(file, bytes);
    const read = (...command: string[]) => spawnSync("tar", [...command], { encoding: "utf8" }).stdout;
    for (const each of ["LICENSE", ...has]) expect(read("-tzf", file)).toContain(`package/${each}\n`);
    expect(read("-tzf", file)).not.toMatch(/\.map\n|__pycache__|\/target\//u);
    expect(Object.keys(JSON.parse(read("-xzOf", file, "package/package.json")))).toEqual(
      expect.not.arrayContaining(["dependencies", "optionalDependencies", "peerDependencies", "scripts"]),
    );

    const known = await get(`/${name}`, { headers: { "if-none-match": headers["etag"] ?? "" } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const head = await get(`/${name}`, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, headers["etag"], ""]);
  },
);

const hasTerminals = spawnSync("script", ["--version"]).status === 0;

it.runIf(hasTerminals)(
  "the commands that the console prints work as printed, without a registry or an installation",
  { timeout: 120_000 },
  async () => {
    const [, tag] = /data-cli-tag="([\w-]+)"/u.exec(await (await get("")).text()) ?? [];
    const { login, listen, trigger, replay } = cliCommands(server.url, tag);
    expect(login).toBe(`npx ${server.url}/console/cli.tgz#${tag} login --server ${server.url}`);
    // `login` asks, so it needs a terminal.
    const asked = await run(`script --quiet --return --command '${login}' /dev/null`, {
      input: `${server.key}\n`,
    });
    expect([asked.output(), asked.status()]).toEqual([
      expect.stringContaining(`Logged in to ${server.url} as Bakery.`),
      0,
    ]);

    // npx is slow, and the same for each command.
    const [modules = ""] = globSync(path.join(server.folder, "npm/_npx/*/node_modules"));
    const installed = (command: string) =>
      command.replace(/^npx \S+/u, path.join(modules, ".bin/hookwright"));
    const listening = await run(`exec ${installed(listen)}`, { until: "Signing secret" });
    try {
      expect(listening.output()).toContain("Listening for all events.");
      const triggered = await run(installed(trigger("order.created")));
      expect(triggered.output()).toContain("was sent to 1 listener.");
    } finally {
      await listening.stop();
    }

    await using sent = await openDelivery();
    const secret = `HOOKWRIGHT_SIGNING_SECRET=${sent.secret}`;
    const replayed = await run(`${secret} ${installed(replay(sent.id, 1))}`);
    expect([replayed.output(), replayed.status()]).toEqual([expect.stringContaining("--data-binary"), 0]);
    await run(replayed.output());
    const [first, again] = sent.received;
    expect(again?.body).toBe(first?.body);
    expect(verifySync({ ...sent, body: again?.body ?? "", headers: again?.headers ?? {} })).toMatchObject({
      event: "review.submitted",
    });
    expect(again?.headers["x-service-delivery"]).toBe(sent.id);

    const refused = await run(`exec ${installed("npx cli mcp")}`);
    const [, mcp = ""] = /Run: (npx .*)$/mu.exec(refused.output()) ?? [];
    expect(mcp).toBe(`npx -p ${server.url}/console/cli.tgz -p @modelcontextprotocol/sdk hookwright mcp`);
    // What npx does with two packages: it installs both in one folder, and runs the program.
    const sdk = fileURLToPath(
      new URL("../../packages/cli/node_modules/@modelcontextprotocol/sdk", import.meta.url),
    );
    mkdirSync(path.join(modules, "@modelcontextprotocol"));
    symlinkSync(realpathSync(sdk), path.join(modules, "@modelcontextprotocol/sdk"), "junction");
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    const serving = await run(
      `exec ${mcp.replace(/^npx .* hookwright/u, path.join(modules, ".bin/hookwright"))}`,
      { input: `${JSON.stringify(initialize)}\n`, until: '"serverInfo"' },
    );
    await serving.stop();
    expect(serving.output()).toContain('"name":"hookwright"');
  },
);
