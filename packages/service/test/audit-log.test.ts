import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { sweepAuditLog } from "../src/audit/audit-log.ts";
import type { Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

const page = { limit: 100 };
const caller = { accountId: "acc_1", credential: { type: "console" } } as const;

/** Tables that a commit writes. */
const tablesOf = ({ mutations }: Commit): unknown[] => mutations.map(({ key }) => key[1]);

it("a change and its entry are one commit", async () => {
  const commits: Commit[] = [];
  const wrap = (store: Store): Store => ({
    ...store,
    commit(partition, commit) {
      commits.push(commit);
      return store.commit(partition, commit);
    },
  });
  const { service } = openService({ wrap });
  await service.accounts.put("acc_1", { email: "owner@example.com" });
  const { webhook } = await service.webhooks.create(caller, {
    event: "order.created",
    target_url: "https://example.com/hooks",
  });
  const { id } = webhook;
  const changes = [
    () => service.webhooks.pause("acc_1", id),
    () => service.webhooks.resume("acc_1", id),
    () => service.webhooks.rotate("acc_1", id),
    () => service.webhooks.update("acc_1", id, { name: "Orders" }),
    () => service.webhooks.remove("acc_1", id),
    () => service.accounts.put("acc_1", { name: "Bakery" }),
    () => service.suppressions.put("ada@example.com", { reason: "bounced" }),
  ];
  for (const change of changes) {
    commits.length = 0;
    await change();
    expect(commits.map(tablesOf)).toEqual([expect.arrayContaining(["audit-log"])]);
  }
});

describe("a process that is killed after the first commit of a change leaves an entry", () => {
  const host = { actor: { kind: "host", id: null, name: "crm" }, requestId: null } as const;
  const changes: Record<string, (service: Service, webhookId: string) => Promise<unknown>> = {
    "account.deleted": (service) => service.accounts.remove("acc_1", host),
    "console_link.created": (service) => service.sessions.createLink("acc_1", {}, { origin: host }),
    "webhook.tested": (service, id) => service.webhooks.sendTest("acc_1", id, host),
  };

  it.each(Object.entries(changes))("%s", async (action, change) => {
    let commitsLeft = Number.POSITIVE_INFINITY;
    const kill = (): Promise<never> => Promise.reject(new Error("killed"));
    const wrap = (store: Store): Store => ({
      ...store,
      commit: (partition, commit) => (commitsLeft-- > 0 ? store.commit(partition, commit) : kill()),
    });
    const { service } = openService({ wrap, testSender: { runAttempt: kill } });
    await service.accounts.put("acc_1", { email: "owner@example.com" });
    await service.projects.put("site_1", { account_id: "acc_1" });
    const { webhook } = await service.webhooks.create(caller, {
      event: "order.created",
      target_url: "https://example.com/hooks",
    });
    commitsLeft = 1;
    await expect(change(service, webhook.id)).rejects.toThrow("killed");
    const { rows } = await service.audit.list({ account_id: "acc_1" }, { limit: 1 });
    expect(rows).toMatchObject([{ action, actor: host.actor }]);
  });
});

it("a change that is refused or changes nothing has no entry", async () => {
  const { service } = openService();
  await service.accounts.put("acc_1", { email: "owner@example.com", name: "Bakery" });
  await service.accounts.put("acc_1", { name: "Bakery", limits: { webhooks: null } });
  await expect(service.accounts.put("acc_1", { timezone: "Moon" })).rejects.toThrow("timezone");
  await expect(service.webhooks.pause("acc_1", "wh_1")).rejects.toThrow("No such webhook");
  const { rows } = await service.audit.listOfAccount("acc_1", {}, page);
  expect(rows.map(({ action }) => action)).toEqual(["account.created"]);
});

it("the newest entries of an account are kept", async () => {
  const store = memoryStore();
  const { service } = openService({ store });
  await service.accounts.put("acc_2", { email: "two@example.com" });
  await service.accounts.put("acc_1", { email: "owner@example.com", name: "0" });
  for (let name = 1; name < 8; name++) await service.accounts.put("acc_1", { name: String(name) });
  await sweepAuditLog({ store, accountId: "acc_1", maximumKept: 3, pause: async () => {} });
  expect((await service.audit.listOfAccount("acc_1", {}, page)).rows).toHaveLength(3);
  const all = await service.audit.list({}, page);
  expect(all.rows.map(({ account_id, action }) => [account_id, action])).toEqual([
    ["acc_1", "account.updated"],
    ["acc_1", "account.updated"],
    ["acc_1", "account.updated"],
    ["acc_2", "account.created"],
  ]);
});
