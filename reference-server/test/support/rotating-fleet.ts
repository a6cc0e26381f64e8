import { createDemoOrder } from "../../src/demo/demo-order.ts";
import { call, hostToken } from "./host-api.ts";
import { startServer } from "./server-process.ts";
import type { ServerProcess } from "./server-process.ts";
import type { VerifyingReceiver } from "./verifying-receiver.ts";

const accounts = 12;
const eventsInCall = 12;
const password = "correct horse battery staple";

export type RotatingFleet = ReturnType<typeof createRotatingFleet>;

type Variables = Readonly<Record<string, string>>;

/** Servers that are replaced one after the other, and a host that publishes to those that run. */
export function createRotatingFleet({
  storage,
  receiver,
}: {
  readonly storage: string;
  readonly receiver: VerifyingReceiver;
}) {
  const running: ServerProcess[] = [];
  const owed = new Set<string>();
  const apiKeys: string[] = [];
  let isPublishing = true;
  let published = 0;
  let webhooks = 0;

  const environment = (secrets: Variables): Variables => ({
    HOOKWRIGHT_STORAGE: storage,
    HOOKWRIGHT_HOST_TOKEN: hostToken,
    HOOKWRIGHT_PRIVATE_TARGETS: "allow",
    HOOKWRIGHT_RETRY_DELAYS: "0.5,0.5,1,2,4",
    ...secrets,
  });

  async function start(secrets: Variables): Promise<void> {
    running.push(await startServer({ env: environment(secrets) }));
  }

  async function publishOnce(server: ServerProcess): Promise<void> {
    const events = Array.from({ length: eventsInCall }, (_, index) => {
      const number = (published += 1);
      const data = createDemoOrder({ id: `ord_${number}`, number: String(number), createdAt: Date.now() });
      return { event: "order.created", project_id: `site_${index % accounts}`, data };
    });
    const response = await fetch(`${server.url}/host/v1/events`, {
      method: "POST",
      headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
      body: JSON.stringify(events),
    });
    if (!response.ok) return void (await response.arrayBuffer());
    const { data }: { data: { deliveries: string[] }[] } = await response.json();
    for (const { deliveries } of data) for (const id of deliveries) owed.add(id);
  }

  return {
    running,
    owed,
    environment,
    start,
    get server(): ServerProcess {
      const [first] = running;
      if (first === undefined) throw new Error("no server runs");
      return first;
    },

    async restartAll(secrets: Variables): Promise<void> {
      const before = [...running];
      for (const server of before) {
        // The others serve meanwhile.
        running.splice(running.indexOf(server), 1);
        await server.stop();
        await server[Symbol.asyncDispose]();
        await start(secrets);
      }
    },

    async createAccounts(): Promise<void> {
      const { server } = this;
      for (let index = 0; index < accounts; index++) {
        const id = `acc_${index}`;
        const account = { email: `owner-${index}@example.com`, ...(index === 0 && { password }) };
        await call(server, `/host/v1/accounts/${id}`, { method: "PUT", body: account });
        for (const site of [`site_${index}`, `site_more_${index}`])
          await call(server, `/host/v1/projects/${site}`, {
            method: "PUT",
            body: { account_id: id, name: site },
          });
        const key = await call(server, `/host/v1/accounts/${id}/api-keys`, {
          method: "POST",
          body: { name: "K" },
        });
        apiKeys.push(String(key["api_key"]));
      }
    },

    /** Creates a webhook for every account. */
    async createWebhooks(server: ServerProcess): Promise<void> {
      for (const token of apiKeys) {
        const path = `/${(webhooks += 1)}`;
        const body = { event: "order.created", target_url: receiver.url + path };
        const webhook = await call(server, "/v1/webhooks", { method: "POST", token, body });
        receiver.secrets.set(path, String(webhook["signing_secret"]));
      }
    },

    async publish(): Promise<void> {
      for (let turn = 0; isPublishing; turn++) {
        const server = running[turn % Math.max(1, running.length)];
        // A server that is stopped breaks the connection. Those events are not acknowledged.
        if (server !== undefined) await publishOnce(server).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },

    endPublishing: () => void (isPublishing = false),

    async isSignInAccepted(server: ServerProcess): Promise<boolean> {
      const session = { email: "owner-0@example.com", password };
      const created = await call(server, "/console/api/session", { method: "POST", body: session });
      return typeof created["token"] === "string";
    },

    async readPage(server: ServerProcess, cursor?: string) {
      const query = cursor === undefined ? "" : `&cursor=${cursor}`;
      const response = await fetch(`${server.url}/v1/projects?limit=1${query}`, {
        headers: { authorization: `Bearer ${apiKeys[0]}` },
      });
      const body: { meta?: { next_cursor: string | null } } = await response.json();
      return { status: response.status, next: body.meta?.next_cursor ?? "" };
    },

    async [Symbol.asyncDispose]() {
      isPublishing = false;
      await Promise.all(running.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}
