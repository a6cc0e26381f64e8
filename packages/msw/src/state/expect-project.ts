import { HookwrightError } from "@hookwright/domain";
import type { Project } from "@hookwright/domain";
import type { World } from "./world.ts";

/** @throws HookwrightError `validation_failed` */
export function expectProject({ projects }: World, projectId: string): Project {
  const project = projects.get(projectId)?.value;
  if (project !== undefined) return project;
  throw new HookwrightError("validation_failed", "project_id: is not one of the account's sites");
}
