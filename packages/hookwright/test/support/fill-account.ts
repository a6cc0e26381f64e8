import { createDelivery, endDelivery } from "@hookwright/delivery";
import type { AttemptRow } from "@hookwright/delivery";
import { createIdSource } from "@hookwright/domain";
import type { PublishInput } from "@hookwright/domain";
import { createRequestLog } from "@hookwright/service";
import { partitionOf } from "@hookwright/storage";
import type { Mutation, Store } from "@hookwright/storage";
import type { Hookwright } from "../../src/create-hookwright.ts";
import { openSession } from "./open-session.ts";

export interface FilledAccount {
  readonly apiKey: string;
  readonly token: string;
  /** An id for each part of a path that is followed by one, such as `webhooks`. */
  readonly ids: Readonly<Record<string, string>>;
}

const dayMs = 24 * 60 * 60 * 1_000;
const atOnce = 500;

/**
 * Fills an account with `count` rows in each list that can grow: orders, contacts, failed deliveries, missed events, requests, audit
 * entries, keys and counters. The store also gets other accounts. The program must not deliver (role `api`).
 */
export async function fillAccount(
  { hookwright, store }: { readonly hookwright: Hookwright; readonly store: Store },
  accountId: string,
  count: number,
): Promise<FilledAccount> {
  const now = Date.now();
  const partition = partitionOf(accountId);
  const write = async (size: number, toMutations: (number: number) => readonly Mutation[]): Promise<void> => {
    for (let first = 0; first < size; first += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, size - first) }, (_, index) => first + index);
      await store.commit(partition, { mutations: numbers.flatMap(toMutations) });
    }
  };
  await hookwright.accounts.put(accountId, { email: "owner@example.com" });
  await hookwright.projects.put("site_1", { account_id: accountId, name: "Shop" });
  await hookwright.emailLists.put("lst_1", { project_id: "site_1", name: "News" });
  const { id: keyId, api_key: apiKey } = await hookwright.apiKeys.create(accountId, { name: "Bookkeeping" });
  const token = await openSession(hookwright, accountId);
  const caller = await hookwright.fetch(
    new Request("http://localhost/v1/webhooks", {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ event: "order.created", target_url: "https://hooks.example.com/orders" }),
    }),
  );
  const webhookId: string = JSON.parse(await caller.text()).data.id;
  const paused = await hookwright.webhooks.create(
    { accountId, credential: { type: "console" } },
    { event: "order.created", target_url: "https://hooks.example.com/paused" },
  );
  await hookwright.webhooks.pause(accountId, paused.webhook.id);

  for (let first = 0; first < count; first += atOnce)
    await hookwright.publishMany(
      Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => orderEvent(first + index)),
    );
  // The deliveries wait for their first attempt. Here they fail.
  const queue = [partition, "fresh", accountId] as const;
  let deliveryId = "";
  for (;;) {
    const entries = await store.list({ prefix: queue, limit: atOnce });
    if (entries.length === 0) break;
    const mutations = entries.flatMap(({ key, value }) => {
      const [id, webhook, targetUrl, event, recordId, projectId, kind, , at, , , arrival] = JSON.parse(value);
      deliveryId = id;
      const delivery = createDelivery({
        id,
        webhook: { id: webhook, event, target_url: targetUrl },
        event,
        recordId,
        recordArrival: arrival,
        projectId,
        kind,
        now: at,
      });
      const ended = endDelivery({ accountId, delivery, attempt: failedAttempt(at), endedAt: at + 20 });
      return [...ended.mutations, { type: "delete", key } as const];
    });
    await store.commit(partition, { mutations });
  }

  const newId = createIdSource({
    now: () => now - dayMs,
    randomBytes: (size) => crypto.getRandomValues(new Uint8Array(size)),
  });
  await write(count, (number) => {
    const row = {
      id: newId("aud"),
      at: now - dayMs,
      actor: { kind: "owner", id: null, name: null },
      action: "webhook.updated",
      account_id: accountId,
      target: { kind: "webhook", id: `wh_${number}` },
      changed: ["name"],
      request_id: null,
    };
    const value = JSON.stringify(row);
    return [
      { type: "set", key: [partition, "audit", accountId, row.id], value },
      { type: "set", key: [partition, "audit-log", row.id], value },
    ];
  });
  await write(count, (number) => {
    const id = newId("key");
    const value = JSON.stringify({
      id,
      name: `Key ${number}`,
      prefix: "hwk_0000",
      integration: false,
      created_at: now - dayMs,
      revoked_at: now,
    });
    return [{ type: "set", key: [partition, "api-key", accountId, id], value }];
  });
  const stepSeconds = [60, 900, 3_600, 21_600];
  await write(count, (number) => {
    const seconds = stepSeconds[number % stepSeconds.length] ?? 60;
    const minute = (Math.floor(now / 1_000 / seconds) - (number % 96)) * (seconds / 60);
    const value = JSON.stringify({ "order.created": { q: 10, a9: 5, f9: 5 } });
    // Removed webhooks too.
    const webhook = number < 96 ? webhookId : `wh_${Math.floor(number / 96)}`;
    return [
      { type: "set", key: [partition, "ledger", accountId, seconds, webhook, minute, "site_1"], value },
    ];
  });
  let recoveryId = "";
  await write(100, () => {
    recoveryId = newId("rcv");
    const value = JSON.stringify({
      id: recoveryId,
      webhook_id: webhookId,
      event: "order.created",
      project_id: null,
      since: now - dayMs,
      until: now,
      statuses: ["failed"],
      missed: false,
      status: "finished",
      found: 0,
      resent: 0,
      created_at: now,
      finished_at: now,
      stage: "send",
      position: { list: "end" },
    });
    return [
      { type: "set", key: [partition, "recovery", accountId, recoveryId], value },
      { type: "set", key: [partition, "recovery-of-webhook", accountId, webhookId, recoveryId], value: "" },
    ];
  });

  // The most that an account may have.
  await write(200, (number) => {
    const value = JSON.stringify([{ id: newId("shr"), created_at: now, expires_at: now + dayMs }]);
    return [{ type: "set", key: [partition, "share", accountId, `dlv_${number}`], value }];
  });

  const requests = createRequestLog({
    store,
    cursors: { decode: () => undefined, encode: () => "" },
    now: () => now,
    onError: (error) => {
      throw error;
    },
  });
  for (let number = 0; number < count; number++)
    requests.add(accountId, {
      id: newId("req"),
      method: "GET",
      path: `/v1/orders/ord_${number}`,
      status: number % 2 === 0 ? 200 : 404,
      errorCode: null,
      keyId,
      keyName: "Bookkeeping",
      durationMs: 3,
      createdAt: now - dayMs,
    });
  await requests.close();
  for (let number = 0; number < count / 4; number++)
    await hookwright.accounts.put(`acc_other_${number}`, { email: `other${number}@example.com` });

  const [contact] = (await hookwright.contacts.list(accountId, {}, { limit: 1 })).rows;
  const contactId = contact?.id ?? "";

  const { id: actionId } = await hookwright.webhookActions.start({
    action: "resume",
    filter: { status: "paused" },
  });

  // The most that an account may have, without the one that is invited below.
  await write(99, (number) => {
    const row = {
      id: newId("prs"),
      email: `person${number}@example.com`,
      name: null,
      role: "viewer",
      timezone: null,
      created_at: now,
      invitation: { fingerprint: "none", expires_at: now + dayMs },
      password: null,
    };
    return [{ type: "set", key: [partition, "person", accountId, row.id], value: JSON.stringify(row) }];
  });
  const invite = await hookwright.fetch(
    new Request("http://localhost/console/api/people", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ email: "last@example.com", role: "viewer" }),
    }),
  );
  const personId: string = JSON.parse(await invite.text()).data.id;

  const ids = {
    accounts: accountId,
    actions: actionId,
    "api-keys": keyId,
    contacts: contactId,
    deliveries: deliveryId,
    "email-lists": "lst_1",
    issues: "iss_unknown",
    keys: keyId,
    listeners: "lsn_1",
    orders: "ord_1",
    people: personId,
    projects: "site_1",
    rejected: "1-1",
    name: "parcel.sent",
    recoveries: recoveryId,
    resends: recoveryId,
    sessions: "ses_1",
    shares: "shr_1",
    "notice-targets": "account",
    webhooks: webhookId,
    // Parameters with other names than `id`.
    contact: contactId,
    delivery: deliveryId,
    erasure: "ers_1",
    email: "ada1@example.com",
    job: recoveryId,
    kind: "orders",
    n: "1",
    record: "ord_3",
    type: "order.created",
    token: "hws_1",
  };
  return { apiKey, token, ids };
}

function orderEvent(number: number): PublishInput {
  return {
    event: "order.created",
    project_id: "site_1",
    data: {
      id: `ord_${number}`,
      number: String(number),
      status: "paid",
      currency: "EUR",
      total: 10,
      customer: { name: "Ada", email: `ada${number}@example.com`, phone: "" },
      items: [{ name: "Bread", quantity: 1, price: 10, total: 10 }],
    },
  };
}

function failedAttempt(at: number): AttemptRow {
  return {
    number: 1,
    started_at: at,
    duration_ms: 20,
    request_form: 1,
    signature: `v1=${"0".repeat(64)}`,
    body: JSON.stringify({ padding: "b".repeat(500) }),
    status: 503,
    headers: ["content-type", "text/html", "x-padding", "h".repeat(500)],
    excerpt: "e".repeat(1_500),
    error: "status",
    detail: "The endpoint answered 503.",
    next_attempt_at: null,
  };
}
