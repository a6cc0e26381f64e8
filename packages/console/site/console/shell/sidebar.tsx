import { Ellipsis, ExternalLink } from "lucide";
import { Fragment } from "preact";
import { Icon } from "../parts/icon.tsx";
import { useConsole } from "../state/console-context.ts";
import { hrefTo } from "../state/use-route.ts";
import { readBranding } from "./branding.ts";
import { sections } from "./sections.ts";
import { SiteSwitcher } from "./site-switcher.tsx";

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
          {/* The viewer is third-party code, so its tab cannot reach the window of this one. */}
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
