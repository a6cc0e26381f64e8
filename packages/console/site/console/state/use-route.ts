import { useEffect, useState } from "preact/hooks";

export interface Route {
  /** `["webhooks", "wh_…"]` of `#/webhooks/wh_…`. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Where the reader is, kept behind the `#`, so that the server needs to know one page alone. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const onChange = (): void => setRoute(readRoute());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return route;
}

/** Such as `#/deliveries?status=failed`; what is empty is left out. */
export function hrefTo(
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const named = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(named).toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

function readRoute(): Route {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/u, "").split("?", 2);
  return {
    segments: path.split("/").filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
