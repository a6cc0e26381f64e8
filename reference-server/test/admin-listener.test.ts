import { createServer } from "node:net";
import { createIdSource } from "@hookwright/domain";
import { describe, expect, it } from "vitest";
import { openAdminListener } from "../src/admin-listener.ts";
import { hostToken } from "./support/host-api.ts";
import { runToEnd, startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { listenLocally } from "../../packages/hookwright/test/support/listen-locally.ts";

const env = { HOOKWRIGHT_STORAGE: "memory", HOOKWRIGHT_HOST_TOKEN: hostToken };
const args = ["serve", "--admin-port", "0"];

function adminUrlOf({ stdout }: ServerProcess): string {
  return /"msg":"listening",.*"admin_url":"([^"]+)"/u.exec(stdout)?.[1] ?? "";
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  return (await fetch(url, { headers: { authorization: `Bearer ${hostToken}` }, ...init })).status;
}

describe("a server with an admin port", () => {
  it.each(["all", "worker"])("serves the operations routes there and nothing else: role %s", async (role) => {
    await using server = await startServer({ args: [...args, "--role", role], env });
    const admin = adminUrlOf(server);
    expect(server.stdout).toContain(`"msg":"The admin port serves the operations routes.","url":"${admin}"`);
    expect(new URL(admin).port).not.toBe(new URL(server.url).port);
    for (const path of ["/healthz", "/readyz", "/metrics"]) expect(await statusOf(admin + path)).toBe(200);
    expect(await statusOf(`${admin}/metrics`, { headers: {} })).toBe(401);
    for (const path of ["/v1/me", "/v1/openapi.json", "/console", "/reference", "/console/api/keys", "/"])
      expect(await statusOf(admin + path)).toBe(404);
    expect(await statusOf(`${admin}/host/v1/accounts/acc_1`, { method: "PUT" })).toBe(404);
  });

  it("serves no metrics on the public port, but keeps its health routes", async () => {
    await using server = await startServer({ args, env: { ...env, HOOKWRIGHT_METRICS: "public" } });
    expect(await statusOf(`${server.url}/metrics`)).toBe(404);
    for (const path of ["/healthz", "/readyz"]) expect(await statusOf(server.url + path)).toBe(200);
    const response = await fetch(`${adminUrlOf(server)}/metrics`);
    expect(await response.text()).toMatch(/route="\/readyz",status="200"/u);
  });

  it("stops by SIGTERM with 0", async () => {
    await using server = await startServer({ args, env });
    expect(await statusOf(`${adminUrlOf(server)}/readyz`)).toBe(200);
    expect((await server.stop()).code).toBe(0);
  });

  it("does not start if the port is in use, and names the option", async () => {
    await using other = await listenLocally(createServer());
    const port = String(other.port);
    const ended = await runToEnd({ args: ["serve", "--admin-port", port], env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(
      `--admin-port (or HOOKWRIGHT_ADMIN_PORT): port ${port} on 127.0.0.1 is in use.`,
    );
  });
});

describe("the admin port before the storage is open", () => {
  const newId = createIdSource({ now: Date.now, randomBytes: (size) => new Uint8Array(size) });
  const settings = {
    adminPort: 0,
    adminHost: undefined,
    headersTimeoutSeconds: 10,
    requestTimeoutSeconds: 30,
  };

  it("says that the process is alive and not ready", async () => {
    const admin = await openAdminListener({ settings, newRequestId: () => newId("req") });
    const url = admin?.url ?? "";
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(await statusOf(`${url}/v1/me`)).toBe(404);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, ready.headers.get("retry-after"), await ready.json()]).toEqual([
      503,
      "1",
      { success: false, error: { code: "internal_error", message: "The server is starting." } },
    ]);
    expect(ready.headers.get("x-request-id")).toMatch(/^req_/u);
    await admin?.close();
  });

  it("passes requests on once there is a handler, and refuses again at the end", async () => {
    const admin = await openAdminListener({ settings, newRequestId: () => newId("req") });
    const url = `${admin?.url ?? ""}/readyz`;
    admin?.serve({ handler: (_, response) => response.end(), answerClientError: () => {} });
    expect(await statusOf(url)).toBe(200);
    admin?.refuse("The server is stopping.");
    expect(await (await fetch(url)).text()).toContain("The server is stopping.");
    await admin?.close();
  });

  it("does not exist without the option", async () => {
    const without = { ...settings, adminPort: undefined };
    expect(await openAdminListener({ settings: without, newRequestId: () => "" })).toBeUndefined();
  });
});
