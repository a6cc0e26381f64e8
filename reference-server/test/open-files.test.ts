import { describe, expect, it } from "vitest";
import { createDemoOrder } from "../src/demo/demo-order.ts";
import { call, createWebhook, hostToken } from "./support/host-api.ts";
import { until } from "./support/fleet.ts";
import { startServer } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { startSlowReceiver } from "./support/slow-receiver.ts";

const accounts = 4;
/** The maximum of an account. */
const webhooks = 50;

async function createAccount(server: ServerProcess, name: string, origin: string): Promise<void> {
  const body = { name, email: `${name}@example.com` };
  await call(server, `/host/v1/accounts/acc_${name}`, { method: "PUT", body });
  await call(server, `/host/v1/projects/site_${name}`, {
    method: "PUT",
    body: { account_id: `acc_${name}`, name },
  });
  const { api_key: apiKey } = await call(server, `/host/v1/accounts/acc_${name}/api-keys`, {
    method: "POST",
    body: { name: "test" },
  });
  for (let number = 0; number < webhooks; number++)
    await createWebhook(server, { token: String(apiKey), url: `${origin}/${name}/${number}` });
}

describe.skipIf(process.platform === "win32")("a server with a low open-files limit", () => {
  it("serves requests while all its attempts hang, and makes the other attempts afterwards", async () => {
    await using receiver = await startSlowReceiver();
    await using server = await startServer({
      openFiles: 160,
      env: { HOOKWRIGHT_HOST_TOKEN: hostToken, HOOKWRIGHT_PRIVATE_TARGETS: "allow" },
    });
    expect(server.stdout).toMatch(
      /"open_files_limit":160,"attempts_at_once":80,.*"code":"open_files_limit_low"/u,
    );
    for (let account = 0; account < accounts; account++)
      await createAccount(server, `n${account}`, new URL(receiver.url).origin);
    for (let account = 0; account < accounts; account++) {
      const data = createDemoOrder({ id: `ord_${account}`, number: "1", createdAt: Date.now() });
      const event = { event: "order.created", project_id: `site_n${account}`, data };
      await call(server, "/host/v1/events", { method: "POST", body: event });
    }
    await until(() => receiver.requests === 80);
    // Each request has its own connection.
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${server.url}/readyz`, { headers: { connection: "close" } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(receiver.requests).toBe(80);
    receiver.answer();
    await until(() => receiver.requests === accounts * webhooks);
    expect(server.stdout + server.stderr).not.toContain("EMFILE");
    expect(server.stdout + server.stderr).not.toContain('"level":"error"');
  });
});
