import { MiddleText } from "./middle-text.tsx";

const maximumPath = 40;

/** The name of a webhook, or the path of its URL, then the host. A long path loses its middle. The tooltip shows the URL. */
export function Endpoint({ url, name = null }: { readonly url: string; readonly name?: string | null }) {
  const { host, path } = splitUrl(url);
  const title = name ?? (path === "/" ? host : cutMiddle(path));
  return (
    <span class="endpoint" title={url}>
      <MiddleText text={title} whole={20} />
      {title === host ? null : <span class="quiet"> {host}</span>}
    </span>
  );
}

/** @example splitUrl("https://shop.example/hooks?a=1") // { host: "shop.example", path: "/hooks?a=1" } */
export function splitUrl(url: string): { readonly host: string; readonly path: string } {
  const parsed = URL.parse(url);
  if (parsed === null) return { host: "", path: url };
  return { host: parsed.host, path: parsed.pathname + parsed.search };
}

function cutMiddle(text: string): string {
  if (text.length <= maximumPath) return text;
  const half = Math.floor(maximumPath / 2);
  return `${text.slice(0, half)}…${text.slice(1 - half)}`;
}
