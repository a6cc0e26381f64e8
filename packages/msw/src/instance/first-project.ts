import { MockError } from "../mock-error.ts";
import type { Instance } from "./instance.ts";

/**
 * Returns the given site, or the first site if it is missing or empty.
 *
 * @throws MockError `no_project`
 */
export function firstProject({ projects }: Instance, projectId: string | undefined): string {
  if (projectId?.trim()) return projectId;
  const [first] = projects.keys();
  if (first !== undefined) return first;
  throw new MockError("no_project", "There is no site. Add one to `projects` of the seed.");
}
