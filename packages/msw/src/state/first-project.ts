import { MockError } from "../mock-error.ts";
import type { World } from "./world.ts";

/**
 * The site that is named; where none is, or an empty one, the first.
 *
 * @throws MockError `no_project`
 */
export function firstProject({ projects }: World, projectId: string | undefined): string {
  if (projectId?.trim()) return projectId;
  const [first] = projects.keys();
  if (first !== undefined) return first;
  throw new MockError("no_project", "There is no site: give the seed one in `projects`.");
}
