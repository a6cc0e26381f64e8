import { createDemoOrder } from "../../src/demo/demo-order.ts";
import { call, hostToken } from "./host-api.ts";
import { startServer } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";

/** The environment of every process on one Redis. */
export function environmentOn(url: string): Record<string, string> {
  return {
    HOOKWRIGHT_STORAGE: url,
    HOOKWRIGHT_SECRET: "a secret that all of these processes share",
    HOOKWRIGHT_HOST_TOKEN: hostToken,
    HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    HOOKWRIGHT_RETRY_DELAYS: "0.3,0.3,0.5,1,2",
  };
}

export function startOn(
  url: string,
  role: "all" | "api" | "worker" = "all",
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  return startServer({ args: ["serve", "--role", role], env: { ...environmentOn(url), ...env } });
}

type Server = Pick<ServerProcess, "url">;

/** Creates accounts `acc_0` … with a site and a webhook each. Their ids are spread over many partitions. */
export async function createTenants(server: Server, count: number, targetUrl: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await call(server, `/host/v1/accounts/acc_${index}`, {
        method: "PUT",
        body: { name: `Tenant ${index}`, email: `tenant-${index}@example.com` },
      });
      const body = { account_id: `acc_${index}`, name: `Site ${index}` };
      await call(server, `/host/v1/projects/site_${index}`, { method: "PUT", body });
      const path = `/host/v1/accounts/acc_${index}/api-keys`;
      const key = await call(server, path, { method: "POST", body: { name: "test" } });
      const apiKey = String(key["api_key"]);
      const webhook = { event: "order.created", target_url: targetUrl };
      await call(server, "/v1/webhooks", { method: "POST", token: apiKey, body: webhook });
      return apiKey;
    }),
  );
}

/**
 * Publishes orders from `first` to `last` (exclusive), round-robin over the sites, a hundred per call. Retries until
 * acknowledged.
 */
export async function publishOrders(
  servers: readonly Server[],
  { first = 0, last, sites }: { readonly first?: number; readonly last: number; readonly sites: number },
): Promise<void> {
  for (let start = first, round = 0; start < last; start += 100, round++) {
    const events = Array.from({ length: Math.min(100, last - start) }, (_, index) => {
      const number = start + index;
      const data = createDemoOrder({ id: `ord_${number}`, number: String(number), createdAt: Date.now() });
      return { event: "order.created", project_id: `site_${number % sites}`, data };
    });
    await publishUntilDone(servers, round, events);
  }
}

async function publishUntilDone(servers: readonly Server[], round: number, events: unknown): Promise<void> {
  for (let attempt = round; ; attempt++) {
    const server = servers[attempt % servers.length];
    if (server === undefined) throw new Error("no server was given");
    const response = await fetch(`${server.url}/host/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    }).catch(() => undefined);
    if (response?.ok === true) return void (await response.arrayBuffer());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Asks as an owner of a key, and measures how long the answer takes. */
export async function ask(server: Server, path: string, token: string) {
  const start = performance.now();
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body, ms: performance.now() - start };
}

export async function isReady(server: Server): Promise<boolean> {
  const response = await fetch(`${server.url}/readyz`).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}

export async function until(
  condition: () => Promise<boolean> | boolean,
  timeoutMs = 20_000,
): Promise<number> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > timeoutMs) throw new Error(`not so within ${timeoutMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return performance.now() - start;
}
