import { joinTags } from "./tags.ts";

/**
 * The fields that joining changes. Ids, e-mail and times belong to the caller. A missing name is `""`.
 */
export interface SubscriberFields {
  readonly name: string;
  readonly status: string;
  readonly tags: readonly string[];
  readonly list_ids: readonly string[];
}

export interface JoinInput {
  readonly name?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly list_id?: string | null | undefined;
}

/**
 * Returns a subscriber after `POST /v1/subscribers`. A new person is `active` at once. A known person is
 * added to the list, gets the tags and keeps the status: an unsubscribed person stays unsubscribed. Only a
 * blank name is filled. If nothing changes, returns `existing` itself.
 *
 * @throws HookwrightError `validation_failed` if there would be more than 1,000 tags
 */
export function joinSubscriber(existing: SubscriberFields | undefined, input: JoinInput): SubscriberFields {
  const before = existing ?? newcomer;
  const after: SubscriberFields = {
    name: before.name.trim() === "" && input.name?.trim() ? input.name : before.name,
    status: before.status,
    tags: joinTags(before.tags, input.tags),
    list_ids: joinList(before.list_ids, input.list_id),
  };
  const same = after.name === before.name && after.tags === before.tags && after.list_ids === before.list_ids;
  return same && existing !== undefined ? existing : after;
}

const newcomer: SubscriberFields = { name: "", status: "active", tags: [], list_ids: [] };

function joinList(lists: readonly string[], listId: string | null | undefined): readonly string[] {
  return listId === undefined || listId === null || lists.includes(listId) ? lists : [...lists, listId];
}
