import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount, hostToken } from "../support/host-api.ts";
import { hasProgram } from "../support/has-program.ts";
import { startCaddy, startNginx } from "../support/proxies.ts";
import type { Proxy } from "../support/proxies.ts";
import { startServer } from "../support/server-process.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { open, send } from "../support/through-proxy.ts";

const hasOpenssl = hasProgram("openssl");
const proxies = [
  { name: "caddy", start: startCaddy, mayRun: hasProgram("caddy") },
  { name: "nginx", start: startNginx, mayRun: hasProgram("nginx") && hasOpenssl },
];

let server: ServerProcess;
let apiKey = "";

beforeAll(async () => {
  server = await startServer({
    env: {
      HOOKWRIGHT_STORAGE: "memory",
      HOOKWRIGHT_HOST_TOKEN: hostToken,
      HOOKWRIGHT_TRUST_PROXY: "1",
      HOOKWRIGHT_METRICS: "public",
      HOOKWRIGHT_PUBLIC_URL: "https://www.example.com/hooks",
    },
  });
  ({ apiKey } = await createAccount(server));
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(proxies.filter(({ mayRun }) => mayRun))("the configuration of $name", ({ name, start }) => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await start({ isBelowPath: false, isCompressing: true, upstream: new URL(server.url).host });
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  const authorization = () => ({ authorization: `Bearer ${apiKey}` });

  it("serves the API and the console over TLS", async () => {
    expect(await send(proxy, "/v1/me", { headers: authorization() })).toMatchObject({ status: 200 });
    const page = await send(proxy, "/console");
    expect(page.headers["content-type"]).toContain("text/html");
  });

  it("redirects from HTTP to HTTPS", async () => {
    const response = await fetch(`http://localhost:${proxy.httpPort}/console?a=1`, { redirect: "manual" });
    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toMatch(/^https:\/\/localhost.*\/console\?a=1$/u);
  });

  it.each([
    "/host/v1/accounts/acc_1",
    "/host",
    "/HOST/v1/accounts/acc_1",
    "/%68ost/v1/accounts/acc_1",
    "//host/v1/accounts/acc_1",
    "/./host/v1/accounts/acc_1",
    "/v1/../host/v1/accounts/acc_1",
    "/v1/%2e%2e/host/v1/accounts/acc_1",
    "/host%2fv1%2faccounts%2facc_1",
    "/host/../host/v1/accounts/acc_1",
    "/v1/..;/host/v1/accounts/acc_1",
    "/v1/..%2fhost/v1/accounts/acc_1",
    "/v1/%2e%2e%2fhost/v1/accounts/acc_1",
    "/v1/..%5chost/v1/accounts/acc_1",
    "/v1/..\\host/v1/accounts/acc_1",
    "/v1/%252e%252e/host/v1/accounts/acc_1",
    "/v1/%252e%252e%252fhost/v1/accounts/acc_1",
    "/%2568ost/v1/accounts/acc_1",
    "//elsewhere/host/v1/accounts/acc_1",
    "/host;a=1/v1/accounts/acc_1",
    "/metrics",
    "/metrics?a=1",
    "/%6detrics",
    "/healthz",
    "/readyz",
  ])("does not let anybody reach %s", async (path) => {
    const { status } = await send(proxy, path, { headers: { authorization: `Bearer ${hostToken}` } });
    expect([400, 404]).toContain(status);
  });

  it("refuses bodies of 1.2 MB and of 2.5 MB", async () => {
    const post = { method: "POST", headers: authorization() };
    const [own, large] = await Promise.all([
      send(proxy, "/v1/webhooks", { ...post, body: "a".repeat(1_200_000) }),
      // The proxy refuses by the header. It would reset a connection with unread bytes, and the response could be lost.
      send(proxy, "/v1/webhooks", { ...post, announcedLength: 2_500_000 }),
    ]);
    expect([own.status, large.status]).toEqual([413, 413]);
  });

  it("passes server-sent events at once and uncompressed, also with compression", async () => {
    const post = (path: string, body: unknown) =>
      send(proxy, path, { method: "POST", headers: authorization(), body });
    const listener = JSON.parse((await post("/developer/v1/listeners", { events: ["order.*"] })).text).data;
    const compressed = { ...authorization(), "accept-encoding": "gzip" };
    const types = await send(proxy, "/v1/event-types", { headers: compressed });
    expect(types.headers["content-encoding"]).toBe("gzip");
    const stream = await open(proxy, `/developer/v1/listeners/${listener.id}/events`, {
      headers: compressed,
    });
    expect(stream.headers["content-type"]).toContain("text/event-stream");
    expect(stream.headers["content-encoding"]).toBeUndefined();
    // Not awaited before the stream is read: a proxy that buffers would never pass it.
    const triggered = post("/developer/v1/trigger", { event: "order.created" });
    let received = "";
    for await (const chunk of stream.setEncoding("utf8")) {
      received += chunk;
      if (received.includes("event: delivery")) break;
    }
    expect(received).toContain("order.created");
    expect((await triggered).status).toBe(201);
  });

  it("limits sign-ins by the address of the client, which cannot name another one", async () => {
    const email = `${name}@example.com`;
    const signIn = async (from: string, spoofed: string) => {
      const headers = { "x-forwarded-for": spoofed };
      const body = { email, password: "wrong" };
      return (await send(proxy, "/console/api/session", { method: "POST", headers, body, from })).status;
    };
    for (let attempt = 1; attempt <= 5; attempt++)
      expect(await signIn("127.0.0.2", `192.0.2.${attempt}`)).toBe(401);
    expect(await signIn("127.0.0.2", "192.0.2.6")).toBe(429);
    expect(await signIn("127.0.0.3", "127.0.0.2")).toBe(401);
  });
});

describe.each(proxies.filter(({ mayRun }) => mayRun))("$name below a path", ({ start }) => {
  it("removes the path, and closes the same routes", async () => {
    await using proxy = await start({ isBelowPath: true, upstream: new URL(server.url).host });
    const document = JSON.parse((await send(proxy, "/hooks/v1/openapi.json")).text);
    expect(document.servers[0].url).toBe("https://www.example.com/hooks");
    const page = await send(proxy, "/hooks/console");
    expect(page.headers["content-type"]).toContain("text/html");
    const [, script = ""] = /src="([^"]+)"/u.exec(page.text) ?? [];
    const url = new URL(script, "https://localhost/hooks/console");
    expect((await send(proxy, url.pathname)).status).toBe(200);
    for (const path of ["/hooks/host/v1/accounts/acc_1", "/hooks/metrics", "/hooks/readyz"])
      expect((await send(proxy, path)).status).toBe(404);
    expect((await send(proxy, "/v1/openapi.json")).text).toBe("The other pages of the site.");
  });
});
