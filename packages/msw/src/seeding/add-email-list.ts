import {
  emailListInputSchema,
  hostIdSchema,
  parseInput,
  toTimestamp,
  validationFailed,
  withoutEmpty,
} from "@hookwright/domain";
import type { SeedEmailList } from "../seed.ts";
import { expectProject } from "../state/expect-project.ts";
import { firstProject } from "../state/first-project.ts";
import { toRow } from "../state/world.ts";
import type { World } from "../state/world.ts";

/** @throws HookwrightError `validation_failed` */
export function addEmailList(world: World, { id: sentId, ...sent }: SeedEmailList): void {
  const id = parseInput(hostIdSchema, sentId, { root: "emailLists.id" });
  const { name, project_id } = parseInput(emailListInputSchema, withoutEmpty(sent));
  const before = world.emailLists.get(id);
  const site = project_id ?? before?.value.project_id ?? firstProject(world, undefined);
  if (before !== undefined && before.value.project_id !== site)
    throw validationFailed(["project_id: the list belongs to another site, and a list cannot be moved"]);
  const fresh = {
    id,
    project_id: expectProject(world, site).id,
    name: id,
    created_at: toTimestamp(world.now()),
  };
  const value = { ...fresh, ...before?.value, ...(name && { name }) };
  world.emailLists.set(id, { ...(before ?? toRow(world, value)), value });
}
