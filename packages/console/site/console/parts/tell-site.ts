import type { Project } from "@hookwright/domain";

/** The name of a site; its id while the names have not come, and where it is none of the account's any more. */
export function tellSite(projects: readonly Project[], id: string | null): string {
  if (id === null) return "every site";
  return projects.find((project) => project.id === id)?.name ?? id;
}
