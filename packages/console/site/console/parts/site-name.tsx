import { useConsole } from "../state/console-context.ts";

/** The name of a site. It shows the id until the names are loaded, and for a site that the account no longer has. */
export function SiteName({ id }: { readonly id: string | null }) {
  const { projects } = useConsole();
  if (id === null) return <>All sites</>;
  return <bdi>{projects.find((project) => project.id === id)?.name ?? id}</bdi>;
}
