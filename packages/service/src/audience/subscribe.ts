import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import type { DeliveryRow } from "@hookwright/delivery";
import {
  calendarMonth,
  eventCatalogue,
  expectRecord,
  findProblems,
  fitsLimit,
  HookwrightError,
  isHostId,
  joinSubscriber,
  subscriberInputSchema,
  toTimestamp,
  touchSnapshot,
  withoutEmpty,
} from "@hookwright/domain";
import type { Subscriber, SubscriberInputBody, SubscriberRecord } from "@hookwright/domain";
import type { Check, Mutation } from "@hookwright/storage";
import type { ServiceContext } from "../context.ts";
import { expectOfProject } from "../lookups/find-project.ts";
import { preparePublication } from "../publishing/prepare-publication.ts";
import type { Publication } from "../publishing/publication.ts";
import { readForPublication } from "../publishing/read-for-publication.ts";
import { isVersionReferenced } from "../lookups/find-records.ts";
import { toRecordMutations } from "../rows/record-change.ts";
import { subscriberOf } from "../rows/subscriber-addresses.ts";
import { readSuppression } from "./suppression-rows.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { EmailListRow } from "../rows/email-list-row.ts";
import { counterLifetimeMs, keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { commitDeliveries } from "../store/commit-until-done.ts";
import type { Attempted } from "../store/commit-until-done.ts";
import type { SubscriberUseCases } from "../use-cases.ts";

type Prepared = Attempted<{ readonly subscribed: Subscribed; readonly deliveries: readonly DeliveryRow[] }>;
type Subscribed = Awaited<ReturnType<SubscriberUseCases["subscribe"]>>;

/**
 * Subscribes a person without confirmation (contract: People). The order of the checks is fixed: list, rejected
 * address, existing subscriber, plan limit. The plan limit applies only to new subscribers.
 */
export function createSubscribe(context: ServiceContext): SubscriberUseCases["subscribe"] {
  const { store, newId, worker, onSubscribed, onError } = context;
  return async (accountId, body, own) => {
    const sent = withoutEmpty(body);
    const parsed = findProblems(subscriberInputSchema, sent);
    const input = await expectOfProject(store, accountId, { sent, parsed, own });
    const { email, project_id: projectId, list_id: listId } = input;
    if (listId !== undefined) await expectList(context, accountId, projectId, listId);
    if (isDisposable(email) || (await readSuppression(store, email)).stored !== undefined) {
      throw new HookwrightError("email_rejected", "email: no e-mail is sent to this address");
    }
    const emailKey = keys.subscriberOfEmail(accountId, projectId, email);
    const subscriberId = newId("sub");
    const prepare = async (): Promise<Prepared> => {
      const known = await store.get(emailKey);
      if (known === undefined) return prepareNew(context, accountId, subscriberId, input);
      const prepared = await prepareKnown(context, accountId, subscriberOf(known), input);
      if (prepared !== undefined) return prepared;
      // The record was removed, or got another address, between the two reads.
      if ((await store.get(emailKey)) !== known) return prepare();
      throw new Error(`subscriber ${subscriberOf(known)} has an address entry but no record`);
    };
    const { subscribed, deliveries } = await commitDeliveries(context, accountId, prepare);
    if (deliveries.length > 0) worker.offer(accountId, deliveries);
    if (subscribed.created && onSubscribed !== undefined) {
      // A copy, because the host may change it before the response is written.
      const copy = structuredClone(subscribed.subscriber);
      Promise.resolve()
        .then(() => onSubscribed(copy))
        .catch((error: unknown) => {
          const { id } = subscribed.subscriber;
          onError(error, { account_id: accountId, subscriber_id: id, code: "welcome_failed" });
        });
    }
    return subscribed;
  };
}

let disposableDomains: ReadonlySet<string> | undefined;

/** The blocklist contains registered domains only, so all parent domains are looked up. */
function isDisposable(email: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet();
  const labels = email.slice(email.lastIndexOf("@") + 1).split(".");
  for (let first = 0; first < labels.length - 1; first++) {
    if (disposableDomains.has(labels.slice(first).join("."))) return true;
  }
  return false;
}

async function expectList(
  { store }: ServiceContext,
  accountId: string,
  projectId: string,
  listId: string,
): Promise<void> {
  const text = isHostId(listId) ? await store.get(keys.emailList(accountId, listId)) : undefined;
  const list: EmailListRow | undefined = text === undefined ? undefined : JSON.parse(text);
  if (list?.project_id !== projectId)
    throw new HookwrightError("invalid_list", "list_id: is not one of this site's email lists");
}

async function prepareNew(
  context: ServiceContext,
  accountId: string,
  id: string,
  input: SubscriberInputBody,
): Promise<Prepared> {
  const { store, now } = context;
  const { email, project_id: projectId } = input;
  const accountText = await store.get(keys.account(accountId));
  if (accountText === undefined) throw new Error(`account ${accountId} has no row`);
  const account = parseAccountRow(accountText);
  const counterKey = keys.newSubscribers(accountId, calendarMonth(now(), account.timezone));
  const count = await store.get(counterKey);
  if (!fitsLimit(account.plan.monthly_new_subscribers, Number(count ?? 0))) {
    throw new HookwrightError(
      "plan_limit_reached",
      "The account has as many new subscribers this month as the plan allows.",
    );
  }
  const joined = joinSubscriber(undefined, input);
  const createdAt = now();
  const { data } = expectRecord(
    "subscriber.created",
    { id, email, ...joined, created_at: toTimestamp(createdAt) },
    { now: createdAt },
  );
  const publication: Publication = {
    event: "subscriber.created",
    kind: eventCatalogue["subscriber.created"].kind,
    projectId,
    data,
    createdAt,
    hasCreatedAt: true,
    adjusted: [],
    dropped: [],
    arrival: context.nextArrival(),
    listIds: joined.list_ids,
  };
  const reads = await readForPublication(context, accountId, publication);
  // While the event is switched off, a subscriber is stored, and nothing is sent.
  const isSent = context.events.find(publication.event) !== undefined;
  const { commit, published } = preparePublication(
    context,
    accountId,
    publication,
    isSent ? reads : { ...reads, webhooks: [], listenerIndexText: undefined },
  );
  const checks: Check[] = [
    ...commit.checks,
    { key: keys.subscriberOfEmail(accountId, projectId, email), value: undefined },
    { key: counterKey, value: count },
  ];
  const mutations: Mutation[] = [
    ...commit.mutations,
    { type: "sum", key: counterKey, amount: 1, expiresAt: now() + counterLifetimeMs },
  ];
  const subscriber: Subscriber = { ...data, project_id: projectId, list_ids: [...joined.list_ids] };
  const subscribed: Subscribed = { subscriber, created: true };
  return {
    commit: { ...commit, checks, mutations },
    result: { subscribed, deliveries: published.deliveries },
  };
}

async function prepareKnown(
  { store, now, nextArrival }: ServiceContext,
  accountId: string,
  id: string,
  input: SubscriberInputBody,
): Promise<Prepared | undefined> {
  const key = keys.record(accountId, "subscribers", id);
  const stored = await store.get(key);
  if (stored === undefined) return undefined;
  const row = parseRecordRow(stored);
  const { head, json } = row;
  if (head.email !== input.email || head.project_id !== input.project_id) return undefined;
  const before: SubscriberRecord = JSON.parse(json);
  const joined = joinSubscriber({ ...before, list_ids: head.list_ids ?? [] }, input);
  const record: SubscriberRecord = {
    ...before,
    name: joined.name,
    status: joined.status,
    tags: [...joined.tags],
  };
  const replacement = JSON.stringify(record);
  const subscriber: Subscriber = { ...record, project_id: head.project_id, list_ids: [...joined.list_ids] };
  const subscribed: Subscribed = { subscriber, created: false };
  return {
    commit: {
      checks: [{ key, value: stored }],
      mutations: toRecordMutations({
        accountId,
        kind: "subscribers",
        recordId: id,
        before: row,
        isVersionReferenced: await isVersionReferenced(store, accountId, id, row, replacement),
        after: {
          head: {
            ...touchSnapshot(head, { isChanged: replacement !== json, now: now() }),
            list_ids: joined.list_ids,
          },
          content: { json: replacement },
        },
        arrival: nextArrival(),
        now: now(),
      }),
    },
    result: { subscribed, deliveries: [] },
  };
}
