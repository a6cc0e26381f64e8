import {
  failedDeliveriesTable,
  findDeliveries,
  hasPending,
  listWebhooks,
  readWebhookGuard,
  removeFromLog,
  removeWebhooks,
} from "@hookwright/delivery";
import { partitionOf } from "@hookwright/storage";
import type { Entry, Key, Mutation, Store } from "@hookwright/storage";
import { listPages } from "@hookwright/storage/sorted-runs";
import { setTimeout as delay } from "node:timers/promises";
import { commitAudited } from "../audit/commit-audited.ts";
import type { ChangeOrigin } from "../use-cases.ts";
import type { ServiceContext } from "../context.ts";
import { readAccount } from "../lookups/read-account.ts";
import { readPeople } from "../lookups/read-people.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { AccountRow } from "../rows/account-row.ts";
import { auditAfterAccountTable, keys, noticesOf, noticeTable, operator } from "../rows/keys.ts";
import { parseNoticeMessage } from "../rows/notice-message-row.ts";
import { commitUntilDone } from "../store/commit-until-done.ts";
import { readKinds } from "../store/read-kinds.ts";
import { allLookupKinds, isLookupOfAccount, lookupPartitions } from "./account-rows.ts";

/** Attempts that are on their way end within the time limit of an attempt. */
const longestWaitMs = 15_000;
const waitStepMs = 50;
const pageSize = 500;
/** Requests are written to their log in groups, up to a second after their response. */
const lateWritesMs = 1_200;

/**
 * Removes all data of an account, also the rows of its sites in the outbox.
 *
 * First the account is suspended and its webhooks are removed, so that nobody adds rows. Then it waits
 * until no attempt is on its way. The account itself is the last row: a call that fails can be repeated. Only the entry of the audit log
 * remains, with the id of the account. It is part of the first commit, so that a removal that is cut off has one too.
 *
 * @throws HookwrightError `resource_not_found`
 */
export async function removeAccount(
  context: ServiceContext,
  accountId: string,
  origin?: ChangeOrigin,
): Promise<void> {
  const { store } = context;
  const { email } = await suspend(context, accountId, origin);
  await removeNotices(store, accountId);
  await removeAllWebhooks(context, accountId);
  await removeAllWebhooks(context, noticesOf(accountId));
  for (let waitedMs = 0; waitedMs < longestWaitMs; waitedMs += waitStepMs) {
    if (!(await hasPending(store, accountId)) && !(await hasPending(store, noticesOf(accountId)))) break;
    await delay(waitStepMs);
  }
  await removeOutboxRows(context, accountId);
  await removeSentNotices(store, accountId);
  const { people } = await readPeople(store, accountId);
  await removeLookups(store, accountId);
  for (const each of new Set([email, ...people.map(({ row }) => row.email)]))
    await removeSignIns(store, each);
  await removeRows(store, accountId);
  await removeRows(store, noticesOf(accountId));
  await delay(lateWritesMs);
  // A sign-in or an acceptance may have written entries meanwhile.
  await removeLookups(store, accountId);
  await removeRows(store, accountId);
  // A notice that was handed over meanwhile may have queued more.
  await removeRows(store, noticesOf(accountId));
  await removeSentNotices(store, accountId);
  const key = keys.account(accountId);
  await store.commit(key[0], { mutations: [{ type: "delete", key }] });
}

async function suspend(
  context: ServiceContext,
  accountId: string,
  origin: ChangeOrigin | undefined,
): Promise<AccountRow> {
  const { store } = context;
  const key = keys.account(accountId);
  return commitAudited(context, key[0], origin, async () => {
    const stored = await readAccount(store, accountId);
    const row = { ...parseAccountRow(stored), status: "suspended" as const };
    return {
      commit: {
        checks: [{ key, value: stored }],
        mutations: [{ type: "set", key, value: JSON.stringify(row) }],
        notify: [key],
      },
      result: row,
      audited: { action: "account.deleted", accountId, target: { kind: "account", id: accountId } },
    };
  });
}

async function removeAllWebhooks({ store, worker, now }: ServiceContext, accountId: string): Promise<void> {
  const endpoints = await commitUntilDone(store, partitionOf(accountId), async () => {
    const guard = await readWebhookGuard(store, accountId);
    const rows = await listWebhooks(store, accountId, { limit: 1_000 });
    const options = { reason: "person", now: now() } as const;
    const removal = await removeWebhooks(store, guard, rows, options);
    const { checks, mutations, notify } = removal;
    return { commit: { checks, mutations, notify }, result: removal.endpoints };
  });
  endpoints.forEach((endpoint) => worker.webhookChanged(endpoint));
}

/** Events that wait to be published, and those that were rejected. */
async function removeOutboxRows({ store, outboxes }: ServiceContext, accountId: string): Promise<void> {
  if (outboxes.length === 0) return;
  for await (const page of listPages(store, { prefix: keys.projects(accountId), pageSize })) {
    const projectIds = page.map(({ key }) => String(key.at(-1)));
    for (const outbox of outboxes) await outbox.removeOfProjects(projectIds);
  }
}

/** Before anything else, so that nobody is told about the account while it is removed. */
async function removeNotices(store: Store, accountId: string): Promise<void> {
  const [partition] = keys.account(accountId);
  for (const kind of [failedDeliveriesTable, noticeTable])
    for await (const page of listPages(store, { prefix: [partition, kind, accountId], pageSize }))
      await remove(store, partition, page);
}

/** What the operator was told about the account. A pending delivery is cancelled at its next attempt. */
async function removeSentNotices(store: Store, accountId: string): Promise<void> {
  for await (const page of listPages(store, { prefix: keys.noticeMessages(operator), pageSize })) {
    const about = page.filter(({ value }) => parseNoticeMessage(value).notice.account_id === accountId);
    const ids = about.map(({ key }) => String(key.at(-1)));
    const deliveries = ids.length === 0 ? [] : await findDeliveries(store, operator, ids);
    const ended = deliveries.filter(({ status }) => status !== "pending");
    const mutations: Mutation[] = [
      ...about.map(({ key }): Mutation => ({ type: "delete", key })),
      ...ended.flatMap((row) => removeFromLog(operator, row)),
    ];
    if (mutations.length > 0) await store.commit(partitionOf(operator), { mutations });
  }
}

/** Entries in other partitions, by which the account is found. It reads the entries of all accounts, a page at a time. */
async function removeLookups(store: Store, accountId: string): Promise<void> {
  for (const kind of allLookupKinds)
    for (const partition of lookupPartitions(kind, accountId))
      for await (const page of listPages(store, { prefix: [partition, kind], pageSize }))
        await remove(
          store,
          partition,
          page.filter((entry) => isLookupOfAccount(accountId, entry)),
        );
}

/** Removes what is stored for an e-mail address, unless another account or person can sign in with it. */
async function removeSignIns(store: Store, email: string): Promise<void> {
  for (const prefix of [keys.accountsOfEmail(email), keys.peopleOfEmail(email)])
    if ((await store.list({ prefix, limit: 1 })).length > 0) return;
  const guard = keys.signInGuard(email);
  await store.commit(guard[0], { mutations: [{ type: "delete", key: guard }] });
  const [partition, table] = keys.signInWindow(email, "");
  for await (const page of listPages(store, { prefix: [partition, String(table), email], pageSize }))
    await remove(store, partition, page);
}

/** Removes the rows in the partition of the account, except the account itself. */
async function removeRows(store: Store, accountId: string): Promise<void> {
  const partition = partitionOf(accountId);
  const account = keys.account(accountId);
  for (const kind of await readKinds(store, partition)) {
    if (kind === auditAfterAccountTable) continue;
    const prefix: Key = [partition, kind, accountId];
    // A list by prefix does not include the row whose key equals the prefix.
    const own = kind === account[1] ? undefined : await store.get(prefix);
    if (own !== undefined) await remove(store, partition, [{ key: prefix, value: own }]);
    for await (const entries of listPages(store, { prefix, pageSize }))
      await remove(store, partition, entries);
  }
}

async function remove(store: Store, partition: string, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0)
    await store.commit(partition, { mutations: entries.map(({ key }) => ({ type: "delete", key })) });
}
