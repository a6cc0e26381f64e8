import { validationFailed } from "@hookwright/domain";
import type { Parsed, Project } from "@hookwright/domain";
import type { World } from "./world.ts";

const unknownProject = "project_id: is not one of the account's sites";

/** @throws HookwrightError `validation_failed` */
export function expectProject({ projects }: World, projectId: string): Project {
  const project = projects.get(projectId)?.value;
  if (project !== undefined) return project;
  throw validationFailed([unknownProject]);
}

/**
 * Returns a parsed body whose site exists. Otherwise reports all problems at once, including the site.
 *
 * @throws HookwrightError `validation_failed`
 */
export function expectOfProject<Input extends { readonly project_id: string }>(
  world: World,
  { sent, parsed }: { readonly sent: unknown; readonly parsed: Parsed<Input> },
): Input {
  if (parsed.ok) {
    expectProject(world, parsed.data.project_id);
    return parsed.data;
  }
  const named =
    typeof sent === "object" && sent !== null && "project_id" in sent ? sent.project_id : undefined;
  const isUnknown = typeof named === "string" && !world.projects.has(named);
  throw validationFailed([...(isUnknown ? [unknownProject] : []), ...parsed.problems]);
}
