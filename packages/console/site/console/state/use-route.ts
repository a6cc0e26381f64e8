import { useLayoutEffect, useState } from "preact/hooks";
import { keepDepth, restoreDepth } from "./scroll-depth.ts";

export interface Route {
  /** `["webhooks", "wh_…"]` of `#/webhooks/wh_…`. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Names this entry of the browser's history: the same again for whoever goes back to it. */
  readonly visit: string;
}

let visits = 0;

/** Where the reader is, kept behind the `#`, so that the server needs to know one page alone. A new screen begins at its top. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  const { visit } = route;
  // Not after the next painting: two steps may follow each other at once.
  useLayoutEffect(() => {
    const onChange = (): void => {
      keepDepth(visit);
      setRoute(readRoute());
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, [visit]);
  useLayoutEffect(() => {
    // The browser would do it before there is anything to see.
    history.scrollRestoration = "manual";
    return restoreDepth(visit);
  }, [visit]);
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
    visit: readVisit(),
  };
}

function readVisit(): string {
  const state: unknown = history.state;
  if (typeof state === "object" && state !== null && "visit" in state && typeof state.visit === "string")
    return state.visit;
  visits += 1;
  const visit = `${performance.timeOrigin} ${visits}`;
  history.replaceState({ visit }, "");
  return visit;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
