import type { Subscriber, SubscriberRecord } from "@hookwright/domain";

/** The answer of the API: the record, with its site and its lists. */
export function toSubscriber(
  record: SubscriberRecord,
  projectId: string,
  listIds: readonly string[],
): Subscriber {
  return { ...record, project_id: projectId, list_ids: [...listIds] };
}
