import { hostIdSchema, parseInput, projectInputSchema, toTimestamp, withoutEmpty } from "@hookwright/domain";
import type { SeedProject } from "../seed.ts";
import { toRow } from "../state/world.ts";
import type { World } from "../state/world.ts";

/** @throws HookwrightError `validation_failed` */
export function addProject(world: World, { id: sentId, ...sent }: SeedProject): void {
  const id = parseInput(hostIdSchema, sentId, { root: "projects.id" });
  const { name, timezone } = parseInput(projectInputSchema, withoutEmpty(sent));
  const before = world.projects.get(id);
  const fresh = { id, name: id, timezone: world.account.timezone, created_at: toTimestamp(world.now()) };
  const value = { ...fresh, ...before?.value, ...(name && { name }), ...(timezone && { timezone }) };
  world.projects.set(id, { ...(before ?? toRow(world, value)), value });
}
