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
import { isReplacedNamed } from "../records/is-replaced-named.ts";
import { toRecordMutations } from "../records/record-change.ts";
import { subscriberOf } from "../records/subscriber-addresses.ts";
import { parseAccountRow } from "../rows/account-row.ts";
import type { EmailListRow } from "../rows/email-list-row.ts";
import { keys } from "../rows/keys.ts";
import { parseRecordRow } from "../rows/record-row.ts";
import { commitDeliveries } from "../store/commit-deliveries.ts";
import type { Attempted } from "../store/commit-until-done.ts";
import type { SubscriberUseCases } from "../use-cases.ts";
import { isThrowaway } from "./throwaway-domains.ts";

type Prepared = Attempted<{ readonly subscribed: Subscribed; readonly deliveries: readonly DeliveryRow[] }>;
type Subscribed = Awaited<ReturnType<SubscriberUseCases["subscribe"]>>;

/** Long enough for the month to end in every time zone. */
export const counterLifetimeMs = 40 * 24 * 60 * 60 * 1_000;

/**
 * Subscribes somebody at once (specification §4, rule 2). The checks come in the order the contract fixes (§3): list,
 * rejected address, known already, plan limit, which binds new ones alone and is counted in the commit that adds them.
 */
export function createSubscribe(context: ServiceContext): SubscriberUseCases["subscribe"] {
  const { store, newId, scheduler, onSubscribed, onError } = context;
  return async (accountId, body) => {
    const sent = withoutEmpty(body);
    const parsed = findProblems(subscriberInputSchema, sent);
    const input = await expectOfProject(store, accountId, { sent, parsed });
    const { email, project_id: projectId, list_id: listId } = input;
    if (listId !== undefined) await expectList(context, accountId, projectId, listId);
    if (isThrowaway(email) || (await store.get(keys.suppression(email))) !== undefined) {
      throw new HookwrightError("email_rejected", "email: no e-mail is sent to this address");
    }
    const emailKey = keys.subscriberOfEmail(accountId, projectId, email);
    const freshId = newId("sub");
    const prepare = async (): Promise<Prepared> => {
      const known = await store.get(emailKey);
      if (known === undefined) return prepareNew(context, accountId, freshId, input);
      const prepared = await prepareKnown(context, accountId, subscriberOf(known), input);
      if (prepared !== undefined) return prepared;
      // Between the two reads the record has gone, or has got another address.
      if ((await store.get(emailKey)) !== known) return prepare();
      throw new Error(
        `the address of subscriber ${subscriberOf(known)} is known, but there is no such record`,
      );
    };
    const { subscribed, deliveries } = await commitDeliveries(context, accountId, prepare);
    if (deliveries.length > 0) scheduler.offer(accountId, deliveries);
    if (subscribed.created && onSubscribed !== undefined) {
      // Its own: it is called before the answer is written, and may change what it is given.
      const told = structuredClone(subscribed.subscriber);
      Promise.resolve()
        .then(() => onSubscribed(told))
        .catch((error: unknown) => {
          const { id } = subscribed.subscriber;
          onError(error, { account_id: accountId, subscriber_id: id, code: "welcome_failed" });
        });
    }
    return subscribed;
  };
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
    arrival: context.nextArrival(),
    listIds: joined.list_ids,
  };
  const reads = await readForPublication(context, accountId, publication);
  const { commit, published } = preparePublication(context, accountId, publication, reads);
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
        isReplacedNamed: await isReplacedNamed(store, accountId, id, row, replacement),
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
