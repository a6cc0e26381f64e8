import type { Subscriber, SubscriberRecord } from "@hookwright/domain";

/** Returns a subscriber as in responses: the record, its site and its lists. */
export function toSubscriber(
  record: SubscriberRecord,
  projectId: string,
  listIds: readonly string[],
): Subscriber {
  return { ...record, project_id: projectId, list_ids: [...listIds] };
}
