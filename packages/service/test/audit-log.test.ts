import type { Commit, Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";
import { describe, expect, it } from "vitest";
import { sweepAuditLog } from "../src/retention/sweep-audit-log.ts";
import type { ChangeOrigin, Service } from "../src/use-cases.ts";
import { openService } from "./support/open-service.ts";

const page = { limit: 100 };
const hourMs = 3_600_000;
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
    "webhook.tested": (service, id) => service.webhooks.sendTest("acc_1", id, {}, host),
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

describe("above the maximum of entries of an account", () => {
  const session: ChangeOrigin = { actor: { kind: "owner", id: null, name: null }, requestId: null };
  const host: ChangeOrigin = { actor: { kind: "host", id: null, name: "crm" }, requestId: null };

  async function openWorld() {
    const store = memoryStore();
    let now = Date.UTC(2026, 10, 29, 9);
    const { service } = openService({ store, now: () => now });
    const { accounts, audit } = service;
    await accounts.put("acc_2", { email: "two@example.com" }, host);
    await accounts.put("acc_1", { email: "owner@example.com" }, host);
    return {
      service,
      advance: (ms: number) => void (now += ms),
      sweep: (maximumKept: number) =>
        sweepAuditLog({ store, accountId: "acc_1", maximumKept, pause: async () => {} }),
      listed: async (accountId?: string) =>
        (await audit.list(accountId === undefined ? {} : { account_id: accountId }, page)).rows.map(
          ({ actor, action }) => `${actor.kind} ${action}`,
        ),
    };
  }

  async function rename(service: Service, times: number, origin: ChangeOrigin): Promise<void> {
    for (let time = 0; time < times; time++)
      await service.accounts.put("acc_1", { name: `${origin.actor.kind} ${time}` }, origin);
  }

  it("the actor with the most loses entries, in both lists", async () => {
    const { service, sweep, listed } = await openWorld();
    await rename(service, 2, host);
    await rename(service, 30, session);
    await sweep(8);
    const kept = [
      ...Array.from({ length: 5 }, () => "owner account.updated"),
      ...Array.from({ length: 2 }, () => "host account.updated"),
      "host account.created",
    ];
    expect(await listed("acc_1")).toEqual(kept);
    expect(await listed()).toEqual([...kept, "host account.created"]);
  });

  it("many keys of an account push out no entries of the host", async () => {
    const { service, sweep, listed } = await openWorld();
    await rename(service, 3, host);
    for (let key = 1; key <= 30; key++) {
      const actor = { kind: "api_key", id: `key_${key}`, name: null } as const;
      await service.accounts.put("acc_1", { name: `Changed by key ${key}` }, { actor, requestId: null });
    }
    await sweep(8);
    const ofHost = (await listed("acc_1")).filter((entry) => entry.startsWith("host"));
    expect(ofHost).toHaveLength(4);
  });

  it("an actor that makes many changes keeps the traces of an earlier hour, and of its other changes", async () => {
    const { service, advance, sweep, listed } = await openWorld();
    await service.apiKeys.create("acc_1", { name: "early" }, session);
    advance(hourMs);
    await service.projects.put("site_1", { account_id: "acc_1" }, session);
    await rename(service, 30, session);
    await sweep(6);
    const count = (entries: readonly string[], entry: string): number =>
      entries.filter((each) => each === entry).length;
    const entries = await listed("acc_1");
    expect(entries).toHaveLength(6);
    for (const kept of ["host account.created", "owner api_key.created", "owner project.created"])
      expect(count(entries, kept)).toBe(1);
    expect(count(entries, "owner account.updated")).toBe(3);
  });
});
