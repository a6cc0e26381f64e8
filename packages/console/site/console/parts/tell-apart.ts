const maximumPath = 40;

/** An endpoint, as lists show it. */
export interface NamedUrl {
  readonly target_url: string;
  readonly name?: string | null | undefined;
}

/** @example splitUrl("https://shop.example/hooks?a=1") // { host: "shop.example", path: "/hooks?a=1" } */
export function splitUrl(url: string): { readonly host: string; readonly path: string } {
  const parsed = URL.parse(url);
  if (parsed === null) return { host: "", path: url };
  return { host: parsed.host, path: parsed.pathname + parsed.search };
}

/** The name, else the path of the URL, else the host. A long path loses its middle. */
export function titleOf({ target_url, name }: NamedUrl): string {
  const { host, path } = splitUrl(target_url);
  return name ?? (path === "/" ? host : cutMiddle(path));
}

/** Without its scheme, and without its middle if it is long. @example shortUrl("https://shop.example/hooks") // "shop.example/hooks" */
export function shortUrl(url: string): string {
  const { host, path } = splitUrl(url);
  return cutMiddle(`${host}${path}`);
}

function cutMiddle(text: string): string {
  if (text.length <= maximumPath) return text;
  const half = Math.floor(maximumPath / 2);
  return `${text.slice(0, half)}…${text.slice(1 - half)}`;
}

/** The titles that endpoints of several hosts have: only the host tells these rows apart. */
export function findSharedTitles(endpoints: readonly NamedUrl[]): ReadonlySet<string> {
  const byTitle = Map.groupBy(endpoints, titleOf);
  const isShared = (group: readonly NamedUrl[]): boolean =>
    new Set(group.map(({ target_url }) => splitUrl(target_url).host)).size > 1;
  return new Set([...byTitle].flatMap(([title, group]) => (isShared(group) ? [title] : [])));
}
