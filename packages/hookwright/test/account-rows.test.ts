import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createHookwright, readAccountRows } from "../src/index.ts";
import type { AccountRowEntry } from "../src/index.ts";
import { listenLocally } from "./support/listen-locally.ts";

const accountId = "acc_1";
const caller = { accountId, credential: { type: "console" } } as const;
const secret = "a secret of thirty-two characters";
const events = {
  "membership.expired": {
    schema: z.object({ id: z.string(), plan: z.string() }),
    sample: { id: "m_1", plan: "Gold" },
    description: "A membership has expired.",
  },
} as const;
const options = { secret, events, privateTargets: true, retryDelaysSeconds: [] };
const since = "2020-01-01T00:00:00Z";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
}

async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 500 };
  const server = createServer(async (request, response) => {
    const { id }: { readonly id: string } = JSON.parse(await text(request));
    received.push({ headers: request.headers, id });
    response.writeHead(answer.status).end();
  });
  const local = await listenLocally(server);
  onTestFinished(() => local[Symbol.asyncDispose]());
  return { received, answer, url: `${local.origin}/` };
}

/** An account with a listener, and a webhook of an own event with a header, a failed delivery, an ended recovery and a missed event. */
async function fill(store: Store, target_url: string, received: readonly Received[]): Promise<string> {
  await using hookwright = await createHookwright({ ...options, store });
  const { accounts, projects, apiKeys, webhooks, publish } = hookwright;
  await accounts.put(accountId, { email: "owner@example.com" });
  await projects.put("site_1", { account_id: accountId });
  const { api_key: key } = await apiKeys.create(accountId, { name: "test" });
  const { webhook } = await webhooks.create(caller, { event: "membership.expired", target_url });
  await webhooks.update(accountId, webhook.id, { headers: { "X-Team": "blue" } });
  await hookwright.fetch(
    new Request("http://localhost/developer/v1/listeners", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: "{}",
    }),
  );
  const publishMembership = (id: string) =>
    publish({ event: "membership.expired", project_id: "site_1", data: { id, plan: "Gold" } });
  const { deliveries } = await publishMembership("m_1");
  await expect.poll(() => received.length).toBe(1);
  const statusOf = async (id: string) => (await hookwright.deliveries.get(accountId, id)).status;
  await expect.poll(() => statusOf(deliveries[0] ?? "")).toBe("failed");
  const recovery = await webhooks.recover(accountId, webhook.id, { since });
  const recoveryStatus = async () => (await webhooks.getRecovery(accountId, recovery.id)).status;
  await expect.poll(recoveryStatus).toBe("finished");
  await expect.poll(() => received.length).toBe(2);
  await webhooks.pause(accountId, webhook.id);
  await publishMembership("m_2");
  await webhooks.resume(accountId, webhook.id);
  return webhook.id;
}

async function rowsOf(store: Store): Promise<AccountRowEntry[]> {
  const rows: AccountRowEntry[] = [];
  for await (const row of readAccountRows({ store, accountId })) rows.push(row);
  return rows;
}

it("a copy of an account has its own headers, recoveries, missed events and records of own events, but no listeners", async () => {
  const receiver = await openReceiver();
  const source = memoryStore();
  /** The kinds of rows that were written, and whether they expire. */
  const written = new Map<string, boolean>();
  const webhookId = await fill(
    {
      ...source,
      commit(partition, commit) {
        for (const mutation of commit.mutations)
          if (mutation.type !== "delete") {
            const kind = String(mutation.key[1]);
            const inMs = mutation.type === "set" ? mutation.expiresInMs : undefined;
            const expires = inMs !== undefined || mutation.expiresAt !== undefined;
            written.set(kind, expires || written.get(kind) === true);
          }
        return source.commit(partition, commit);
      },
    },
    receiver.url,
    receiver.received,
  );
  const rows = await rowsOf(source);
  const kinds = new Map(rows.map(({ key, lifetimeMs }) => [String(key[1]), lifetimeMs !== undefined]));
  for (const kind of ["record", "recovery", "recovery-of-webhook", "missed-event"])
    expect([...kinds.keys()]).toContain(kind);
  expect([...written.keys()]).toContain("listener");
  expect([...kinds.keys()].filter((kind) => kind.startsWith("listener"))).toEqual([]);
  const expiring = [...written].filter(([kind, expires]) => expires && kinds.has(kind)).map(([kind]) => kind);
  expect(expiring.toSorted()).toEqual([...kinds].flatMap(([kind, has]) => (has ? [kind] : [])).toSorted());
  expect(JSON.stringify(rows)).not.toContain("blue");

  const target = memoryStore();
  for (const { key, value, lifetimeMs: expiresInMs } of rows)
    await target.commit(key[0], { mutations: [{ type: "set", key, value, expiresInMs }] });
  expect(await rowsOf(target)).toEqual(rows);
  receiver.answer.status = 204;
  receiver.received.length = 0;
  await using copy = await createHookwright({ ...options, store: target });
  const { rows: recoveries } = await copy.webhooks.listRecoveries(accountId, webhookId, {});
  expect(recoveries).toMatchObject([{ status: "finished", resent: 1 }]);
  await copy.webhooks.recover(accountId, webhookId, { since, missed: true });
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received.map(({ id, headers }) => [id, headers["x-team"]]).toSorted()).toEqual([
    ["membership.expired_m_1", "blue"],
    ["membership.expired_m_2", "blue"],
  ]);
});
