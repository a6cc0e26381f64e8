import {
  calendarMonth,
  findProblems,
  fitsLimit,
  HookwrightError,
  joinSubscriber,
  subscriberInputSchema,
  withoutEmpty,
  touchSnapshot,
} from "@hookwright/domain";
import type { Subscriber, SubscriberInputBody, SubscriberRecord } from "@hookwright/domain";
import { expectOfProject } from "../state/expect-project.ts";
import { findSubscriber, readSubscriber } from "../state/find-person.ts";
import { publishRecord } from "../state/publish-record.ts";
import { toSubscriber } from "../state/to-subscriber.ts";
import { recordKey } from "../state/world.ts";
import type { RecordRow, World } from "../state/world.ts";

export interface Subscribed {
  readonly subscriber: Subscriber;
  readonly created: boolean;
}

/**
 * Subscribes a person. The order of the checks is that of the contract (§3): list, rejected address, known
 * person, plan limit.
 *
 * @throws HookwrightError `validation_failed`, `invalid_list`, `email_rejected`, `plan_limit_reached`
 */
export function subscribe(world: World, body: unknown): Subscribed {
  const sent = withoutEmpty(body);
  const input = expectOfProject(world, { sent, parsed: findProblems(subscriberInputSchema, sent) });
  const { email, project_id: projectId, list_id: listId } = input;
  if (listId !== undefined && world.emailLists.get(listId)?.value.project_id !== projectId)
    throw new HookwrightError("invalid_list", "list_id: is not one of this site's email lists");
  if (world.suppressions.has(email) || isThrowaway(world, email))
    throw new HookwrightError("email_rejected", "email: no e-mail is sent to this address");
  const known = findSubscriber(world, projectId, email);
  return known === undefined ? addNew(world, input) : joinKnown(world, known, input);
}

function addNew(world: World, input: SubscriberInputBody): Subscribed {
  const { email, project_id: projectId } = input;
  const { plan, timezone } = world.account;
  const month = calendarMonth(world.now(), timezone);
  const count = world.newSubscribers.get(month) ?? 0;
  if (!fitsLimit(plan.monthly_new_subscribers, count)) {
    throw new HookwrightError(
      "plan_limit_reached",
      "The account has as many new subscribers this month as the plan allows.",
    );
  }
  const { list_ids: listIds, ...joined } = joinSubscriber(undefined, input);
  const { data } = publishRecord(world, {
    event: "subscriber.created",
    projectId,
    // With milliseconds, because lists are ordered by them.
    data: { id: world.newId("sub"), email, ...joined, created_at: new Date(world.now()).toISOString() },
    listIds,
  });
  world.newSubscribers.set(month, count + 1);
  return { subscriber: toSubscriber(data, projectId, listIds), created: true };
}

function joinKnown(world: World, row: RecordRow, input: SubscriberInputBody): Subscribed {
  const { listIds, projectId } = row;
  const record = readSubscriber(row);
  const joined = joinSubscriber({ ...record, list_ids: listIds }, input);
  const after: SubscriberRecord = {
    ...record,
    name: joined.name,
    status: joined.status,
    tags: [...joined.tags],
  };
  const snapshot = touchSnapshot(row.snapshot, {
    isChanged: JSON.stringify(after) !== JSON.stringify(record),
    now: world.now(),
  });
  world.records.set(recordKey(row.kind, row.id), {
    ...row,
    snapshot,
    value: after,
    listIds: joined.list_ids,
  });
  return { subscriber: toSubscriber(after, projectId, joined.list_ids), created: false };
}

/** Returns whether the domain or a parent domain is a throwaway domain. */
function isThrowaway({ throwawayDomains }: World, email: string): boolean {
  const labels = email.slice(email.lastIndexOf("@") + 1).split(".");
  return labels.some((_, first) => throwawayDomains.has(labels.slice(first).join(".")));
}
