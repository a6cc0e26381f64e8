import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, createAccount, createWebhook, hostToken, publishOrder } from "./support/host-api.ts";
import { makeFolder } from "./support/make-folder.ts";
import { runCommand } from "./support/run-command.ts";
import { runToEnd, startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { startSlowReceiver } from "./support/slow-receiver.ts";

const memory = { HOOKWRIGHT_STORAGE: "memory" };
const forTrials = { HOOKWRIGHT_HOST_TOKEN: hostToken, HOOKWRIGHT_PRIVATE_TARGETS: "allow" };

describe("a running server", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer({ env: memory });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("responds on the printed port if the port is 0", async () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/u);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/v1/me`)).status).toBe(401);
  });

  it("writes nothing to the disk with the storage memory", async () => {
    expect(await readdir(server.directory)).toEqual([]);
  });

  it("keeps its port: a second server names the option and exits with 1", async () => {
    const { port } = new URL(server.url);
    const second = await runToEnd({ args: ["serve", "--port", port], env: memory });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`--port \\(or PORT\\): port ${port} on 127\\.0\\.0\\.1 is in use`, "u"),
    );
    expect(second.stderr).not.toMatch(/^\s+at /mu);
  });

  it.each([
    ["no request line", "hello\r\n\r\n", 400],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 400],
    ["a tunnel to a path", "CONNECT /v1/me HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["a method that Node does not know", "FOO /v1/me HTTP/1.1\r\nHost: x\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ])("responds with the error envelope to a malformed request: %s", async (_, sent, status) => {
    const [head = "", body = ""] = (await exchange(server.url, sent)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, "u"));
    expect(head).toMatch(/^x-request-id: req_\w+\r?$/imu);
    expect(head).toMatch(/^connection: close\r?$/imu);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "validation_failed" } });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(server.stdout + server.stderr).not.toMatch(/"level":"error"/u);
  });

  it("serves others after a client that sent a malformed request disconnects early", async () => {
    for (const sent of ["CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "hello\r\n\r\n"]) {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.write(sent);
      await once(socket, "data");
      socket.resetAndDestroy();
      await once(socket, "close");
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }
  });

  it("ignores an unknown expectation", async () => {
    const sent = "GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n";
    expect(await exchange(server.url, sent)).toMatch(/^HTTP\/1\.1 200 .*x-request-id: req_/su);
  });
});

describe("a server with options for production", () => {
  const tokens = { shop: "token-of-the-shop", desk: "token-of-the-desk", metrics: "token-of-metrics" };
  let server: ServerProcess;
  beforeAll(async () => {
    const env = {
      ...memory,
      NODE_ENV: "production",
      HOOKWRIGHT_ALLOW_TARGETS: "10.1.2.0/24,hooks.internal",
      HOOKWRIGHT_HOST_TOKEN: `${hostToken},shop:publish:${tokens.shop},desk:manage:${tokens.desk}`,
      HOOKWRIGHT_METRICS_TOKEN: tokens.metrics,
      HOOKWRIGHT_DEMO_TRAFFIC: "on",
      SMTP_URL: `smtp://${tokens.shop}@127.0.0.1:1`,
    };
    server = await startServer({ env });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("accepts listed private targets, and no others", async () => {
    const { apiKey } = await createAccount(server);
    const statusOf = async (target_url: string): Promise<number> => {
      const { status } = await fetch(`${server.url}/v1/webhooks`, {
        method: "POST",
        headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
        body: JSON.stringify({ event: "order.created", target_url }),
      });
      return status;
    };
    expect(await statusOf("https://hooks.internal/a")).toBe(201);
    expect(await statusOf("https://10.1.2.3/a")).toBe(201);
    expect(await statusOf("https://db.internal/a")).toBe(422);
    expect(await statusOf("https://10.1.3.3/a")).toBe(422);
  });

  it("has no account and no traffic of a demo", async () => {
    const body = { method: "POST", body: JSON.stringify({ name: "test" }) };
    const headers = { authorization: `Bearer ${hostToken}`, "content-type": "application/json" };
    const response = await fetch(`${server.url}/host/v1/accounts/acc_demo/api-keys`, { ...body, headers });
    expect(response.status).toBe(404);
  });

  it("accepts several host tokens with scopes, and a token for /metrics only", async () => {
    const put = { method: "PUT", body: { email: "two@example.com" } };
    await call(server, "/host/v1/accounts/acc_2", { ...put, token: tokens.desk });
    const statusOf = async (path: string, token: string, method: string): Promise<number> =>
      (await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusOf("/host/v1/accounts/acc_2", tokens.shop, "PUT")).toBe(403);
    expect(await statusOf("/metrics", tokens.shop, "GET")).toBe(200);
    expect(await statusOf("/metrics", tokens.metrics, "GET")).toBe(200);
    expect(await statusOf("/host/v1/accounts/acc_2", tokens.metrics, "PUT")).toBe(401);
    await server.stop();
    expect(server.stdout + server.stderr).not.toMatch(/token-of-/u);
  });
});

describe("the log of a server", () => {
  const secret = "a-secret-of-more-than-32-characters";
  const publicUrl = "https://example.com/hooks";
  let server: ServerProcess;
  let apiKey = "";
  beforeAll(async () => {
    const env = {
      ...memory,
      ...forTrials,
      HOOKWRIGHT_SECRET: secret,
      HOOKWRIGHT_PUBLIC_URL: `${publicUrl}/`,
      HOOKWRIGHT_ACCESS_LOG: "on",
      HOOKWRIGHT_LOG_LEVEL: "debug",
      HOOKWRIGHT_OUTBOX: "",
      HOOKWRIGHT_RETRY_DELAYS: "0.05,0.05,0.05,0.05,0.05",
    };
    server = await startServer({ args: ["serve", "--host", "0.0.0.0"], env });
    ({ apiKey } = await createAccount(server));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("has its bound address, and a URL that this machine can open", async () => {
    expect(server.stdout).toMatch(
      /"msg":"listening","url":"http:\/\/127\.0\.0\.1:\d+",.*"host":"0\.0\.0\.0"/u,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("has its public URL, which is in the OpenAPI document too", async () => {
    expect(server.stdout).toContain(`"public_url":"${publicUrl}"`);
    const document: unknown = await (await fetch(`${server.url}/v1/openapi.json`)).json();
    expect(document).toMatchObject({ servers: [{ url: publicUrl }] });
  });

  it("warns that private targets are allowed", () => {
    expect(server.stdout).toMatch(/"level":"warn".*PRIVATE TARGETS ARE ALLOWED/u);
  });

  it("has a mail after six failures of a webhook in a row, if there is no mail server", async () => {
    // Nothing listens on port 1.
    await createWebhook(server, { token: apiKey, url: "http://127.0.0.1:1/hooks" });
    await publishOrder(server, "ord_1");
    const [line] = await server.waitFor(/^.*"msg":"mail".*$/mu);
    expect(JSON.parse(line)).toEqual({
      time: expect.any(String),
      level: "info",
      msg: "mail",
      to: "one@example.com",
      subject: "Your webhook is failing: 6 attempts in a row",
      text: expect.stringContaining("http://127.0.0.1:1/hooks"),
    });
  });

  it("has each request without personal data, its settings at the level debug, and no secret", async () => {
    await call(server, "/v1/orders?limit=7", { token: apiKey });
    await fetch(`${server.url}/nowhere/ada@example.com?key=${apiKey}`);
    const put = { method: "PUT", body: { reason: "bounced" } };
    await call(server, "/host/v1/suppressions/ada@example.com", put);
    await server.stop();
    const lines = server.stdout.split("\n").filter((line) => line.includes('"code":"request_served"'));
    expect(lines.map((line) => JSON.parse(line)).slice(-3)).toMatchObject([
      { level: "info", method: "GET", route: "/v1/orders", status: 200, account_id: "acc_1" },
      { method: "GET", route: "unknown", status: 404, request_id: expect.stringMatching(/^req_/u) },
      { route: "/host/v1/suppressions/{email}", status: 201, duration_ms: expect.any(Number) },
    ]);
    expect(server.stdout).toMatch(/"level":"debug".*"privateTargets":true.*"code":"settings_read"/u);
    const written = server.stdout + server.stderr;
    expect(written).not.toMatch(/ada@|hwk_|limit=7/u);
    expect(written).not.toContain(secret);
    expect(written).not.toContain(hostToken);
  });
});

/** Sends these bytes and returns everything until the server closes the connection. */
async function exchange(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
  socket.write(sent);
  let received = "";
  for await (const text of socket) received += String(text);
  return received;
}

describe("a server that cannot start", () => {
  it.each([
    [
      "a host is not an address of this machine",
      { ...memory, PORT: "0", HOST: "203.0.113.7" },
      /--host \(or HOST\): 203\.0\.113\.7/u,
    ],
    [
      "it cannot use the directory",
      { PORT: "0", HOOKWRIGHT_STORAGE: "file:/dev/null/data" },
      /--storage \(or HOOKWRIGHT_STORAGE\).*\/dev\/null\/data/u,
    ],
  ])("says that %s, and exits with 1", async (_, environment, reason) => {
    const refused = await runCommand(["serve"], environment);
    expect(refused).toMatchObject({ code: 1, complained: expect.stringMatching(reason) });
    expect(refused.complained).not.toMatch(/^\s+at /mu);
  });
});

describe("a server that is stopped", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s closes connections that never send a request, exits with 0 and says so",
    async (signal) => {
      await using server = await startServer({ env: memory });
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      await once(socket, "connect");
      socket.on("error", () => {});
      server.signal(signal);
      expect(await server.exited).toEqual({ code: 0, signal: null });
      expect(server.stdout).toMatch(/"msg":"stopped"/u);
      expect(server.stderr).toBe("");
      socket.destroy();
    },
  );

  it("by repeated signals accepts no more connections, and waits for the attempt in progress and its record", async () => {
    const directory = join(await makeFolder(), "data");
    await using receiver = await startSlowReceiver();
    const data = { HOOKWRIGHT_STORAGE: `file:${directory}` };
    await using server = await startServer({ env: { ...data, ...forTrials } });
    // Only the owner can read the directory and the secret.
    expect((await stat(join(directory, "secret"))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const { apiKey } = await createAccount(server);
    const webhook = await createWebhook(server, { token: apiKey, url: receiver.url });
    await publishOrder(server, "ord_1");
    await receiver.reached;

    for (const signal of ["SIGTERM", "SIGINT", "SIGTERM"] as const) server.signal(signal);
    await server.waitFor(/"msg":"stopping"/u);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow("fetch failed");
    receiver.answer();
    expect(await server.exited).toEqual({ code: 0, signal: null });

    await using next = await startServer({ env: { ...data, ...forTrials } });
    expect(await call(next, `/v1/webhooks/${String(webhook["id"])}`, { token: apiKey })).toMatchObject({
      consecutive_failures: 0,
      last_success_at: expect.any(String),
    });
    await next.stop();
    expect(receiver.requests).toBe(1);
  });

  it("responds to a request that it had started to read", async () => {
    await using server = await startServer({ env: { ...memory, ...forTrials } });
    await createAccount(server);
    const body = JSON.stringify({ name: "late" });
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1").setEncoding("utf8");
    let answer = "";
    const begun = new Promise<void>((resolve) => {
      socket.on("data", (text: string) => {
        answer += text;
        if (answer.startsWith("HTTP/1.1 100")) resolve();
      });
    });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(
      `POST /host/v1/accounts/acc_1/api-keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hostToken}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await begun;
    server.signal("SIGTERM");
    await server.waitFor(/"msg":"stopping"/u);
    socket.write(body);
    await closed;
    expect(answer).toMatch(/HTTP\/1\.1 201 .*"success":true/su);
    expect((await server.exited).code).toBe(0);
  });

  it("by a second signal more than a second later does not wait for the attempt in progress", async () => {
    await using receiver = await startSlowReceiver();
    await using server = await startServer({ env: { ...memory, ...forTrials } });
    const { apiKey } = await createAccount(server);
    await createWebhook(server, { token: apiKey, url: receiver.url });
    await publishOrder(server, "ord_1");
    await receiver.reached;
    server.signal("SIGTERM");
    await server.waitFor(/"msg":"stopping"/u);
    // The distance between the signals matters, and the server measures it with its own clock.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    server.signal("SIGTERM");
    expect(await server.exited).toEqual({ code: 143, signal: null });
  });
});
