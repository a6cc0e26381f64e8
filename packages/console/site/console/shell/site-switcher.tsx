import { useConsole } from "../state/console-context.ts";
import { replaceQuery } from "../state/use-route.ts";

/** Chooses one site, or all. The choice is in the address and filters the lists. */
export function SiteSwitcher() {
  const { projects, site } = useConsole();
  return (
    <select
      class="site-switcher"
      aria-label="Site"
      value={site ?? ""}
      onChange={(changed) => replaceQuery({ site: changed.currentTarget.value })}
    >
      <option value="">All sites</option>
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
