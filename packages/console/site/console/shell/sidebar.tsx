import { Ellipsis, ExternalLink } from "lucide";
import { Fragment } from "preact";
import { Icon } from "../parts/buttons.tsx";
import { SiteName } from "../parts/cells.tsx";
import { FilterChip } from "../parts/fields.tsx";
import { useConsole } from "../state/console-context.ts";
import { readBranding } from "../state/page.ts";
import { hrefTo, replaceQuery } from "../state/route.ts";
import { sections } from "./sections.ts";

export interface SidebarProps {
  /** The section that is shown. */
  readonly section: string;
  /** Opens the search, which has all pages. */
  readonly onMore: () => void;
}

/** The navigation. On a small screen it is a bar at the bottom. */
export function Sidebar({ section, onMore }: SidebarProps) {
  const { projects } = useConsole();
  const { name, logo, docs } = readBranding();
  return (
    <nav class="sidebar" aria-label="Console">
      <p class="brand">
        {logo === undefined ? null : <img src={logo} alt="" />}
        <span>{name}</span>
      </p>
      {projects.length > 1 ? <SiteSwitcher /> : null}
      <ul>
        {sections.map(({ name, title, icon, group, isMain }) => (
          <Fragment key={name}>
            {group === undefined ? null : (
              <li class="group minor" aria-hidden="true">
                {group}
              </li>
            )}
            <li class={isMain ? "" : "minor"}>
              <a
                href={hrefTo(name === "" ? [] : [name])}
                title={title}
                aria-current={section === name ? "page" : undefined}
              >
                <Icon of={icon} />
                {title}
              </a>
            </li>
          </Fragment>
        ))}
        <li class="more">
          <button type="button" onClick={onMore}>
            <Icon of={Ellipsis} />
            More
          </button>
        </li>
      </ul>
      <ul class="links">
        <li>
          <a href="reference" title="API reference" target="_blank" rel="noopener">
            <Icon of={ExternalLink} />
            API reference
          </a>
        </li>
        {docs === undefined ? null : (
          <li>
            <a href={docs} title="Docs" target="_blank" rel="noopener">
              <Icon of={ExternalLink} />
              Docs
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** The chosen site. A wide screen shows it in the navigation. */
export function SiteChip() {
  const { projects, site } = useConsole();
  if (site === undefined || projects.length < 2) return null;
  return (
    <p class="site-chip">
      <FilterChip name="site">
        Site: <SiteName id={site} />
      </FilterChip>
    </p>
  );
}

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
