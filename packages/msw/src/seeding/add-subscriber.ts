import {
  emailSchema,
  HookwrightError,
  hostSubscriberInputSchema,
  joinTags,
  parseInput,
  toTimestamp,
  touchSnapshot,
  withoutEmpty,
} from "@hookwright/domain";
import type { SubscriberRecord } from "@hookwright/domain";
import type { Row } from "../lists/row.ts";
import type { SeedSubscriber } from "../seed.ts";
import { expectProject } from "../state/expect-project.ts";
import { findSubscriber, readSubscriber } from "../state/find-person.ts";
import { firstProject } from "../state/first-project.ts";
import { recordKey, toRow } from "../state/world.ts";
import type { RecordRow, World } from "../state/world.ts";

/**
 * Adds a subscriber like the host API: without an event, and not counted for the month. Name and status
 * replace stored values.
 *
 * @throws HookwrightError `validation_failed`, `invalid_list`
 */
export function addSubscriber(
  world: World,
  { project_id, email: sentEmail, list_ids, ...sent }: SeedSubscriber,
): void {
  const projectId = expectProject(world, firstProject(world, project_id)).id;
  const email = parseInput(emailSchema, sentEmail, { root: "subscribers.email" });
  const input = parseInput(hostSubscriberInputSchema, withoutEmpty(sent));
  const known = findSubscriber(world, projectId, email);
  const before = known === undefined ? undefined : readSubscriber(known);
  const value: SubscriberRecord = {
    id: before?.id ?? world.newId("sub"),
    email,
    name: input.name ?? before?.name ?? "",
    status: input.status ?? before?.status ?? "active",
    tags: [...joinTags(before?.tags ?? [], input.tags)],
    created_at: before?.created_at ?? toTimestamp(world.now()),
  };
  const fresh: Omit<RecordRow, keyof Row<unknown>> = {
    kind: "subscribers",
    sent: value,
    projectId,
    snapshot: { events: [], published: [], as_of: world.now() },
    listIds: [],
    ownFields: {},
  };
  const isChanged = JSON.stringify(value) !== JSON.stringify(before);
  const stored = known && {
    ...known,
    snapshot: touchSnapshot(known.snapshot, { isChanged, now: world.now() }),
  };
  const row: RecordRow = { ...(stored ?? { ...toRow(world, value), ...fresh }), value };
  const added = (list_ids ?? []).map((id) => expectList(world, projectId, id));
  world.records.set(recordKey("subscribers", row.id), {
    ...row,
    listIds: [...new Set([...row.listIds, ...added])],
  });
}

function expectList({ emailLists }: World, projectId: string, id: string): string {
  if (emailLists.get(id)?.value.project_id === projectId) return id;
  throw new HookwrightError("invalid_list", `list_ids: ${id} is not one of this site's email lists`);
}
