import { useConsole } from "../state/console-context.ts";

/** The name of a site; its id while the names have not come, and where it is none of the account's any more. */
export function SiteName({ id }: { readonly id: string | null }) {
  const { projects } = useConsole();
  if (id === null) return <>every site</>;
  return <bdi>{projects.find((project) => project.id === id)?.name ?? id}</bdi>;
}
