import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { readBranding } from "./page.ts";

export interface Route {
  /** `["webhooks", "wh_…"]` for `#/webhooks/wh_…`. */
  readonly segments: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** Identifies this entry of the browser's history. It is the same when the user goes back. */
  readonly visit: string;
}

let visits = 0;

/** The current route. It is in the fragment, so that the server needs only one page. A new screen starts at its top. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute);
  const { visit } = route;
  // A layout effect, because two navigations may follow each other immediately.
  useLayoutEffect(() => {
    const onChange = (): void => {
      savePosition(visit);
      setRoute(readRoute());
    };
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, [visit]);
  useLayoutEffect(() => {
    // The browser would restore the position before the content is loaded.
    history.scrollRestoration = "manual";
    return restorePosition(visit);
  }, [visit]);
  return route;
}

/** These parameters stay when the user goes to another screen. */
const kept = ["site", "period"];

/** For example `#/deliveries?status=failed`. Empty values are left out. The site and the period of the address stay. */
export function hrefTo(
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const current = readRoute().query;
  const all = { ...Object.fromEntries(kept.map((name) => [name, current[name]])), ...query };
  const named = Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(named).toString();
  return `#/${segments.map(encodeURIComponent).join("/")}${search === "" ? "" : `?${search}`}`;
}

/** Changes parameters of the current address. An empty text removes one. */
export function replaceQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { segments, query } = readRoute();
  location.hash = hrefTo(segments, { ...query, ...changes });
}

export type AskedDialog = ReturnType<typeof useAskedDialog>;

/**
 * Whether a dialog is open that the address can open too.
 *
 * @param isAsked whether the address asks for it
 * @param names the parameters that ask for it. They leave the address when it closes
 */
export function useAskedDialog(isAsked: boolean, names: readonly string[]) {
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => setOpen(isAsked), [isAsked]);
  const close = (): void => {
    setOpen(false);
    if (isAsked) replaceQuery(Object.fromEntries(names.map((name) => [name, ""])));
  };
  return { isOpen, open: () => setOpen(true), close };
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
  history.replaceState({ ...history.state, visit }, "");
  return visit;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Scroll positions of the latest visits. */
const positions = new Map<string, number>();
const maximumEntries = 50;
/** After one of these events the user is scrolling, so the position is no longer restored. */
const userEvents = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export function savePosition(visit: string): void {
  positions.delete(visit);
  positions.set(visit, scrollY);
  const [oldest] = positions.keys();
  if (positions.size > maximumEntries && oldest !== undefined) positions.delete(oldest);
}

/** Restores the scroll position as soon as the page is long enough. Returns a function that cancels this. */
export function restorePosition(visit: string): () => void {
  const position = positions.get(visit) ?? 0;
  scrollTo(0, position);
  const isReached = (): boolean => Math.abs(scrollY - position) < 2;
  if (isReached()) return () => {};
  const observer = new ResizeObserver(() => {
    scrollTo(0, position);
    if (isReached()) stop();
  });
  function stop(): void {
    observer.disconnect();
    for (const name of userEvents) removeEventListener(name, stop);
  }
  observer.observe(document.body);
  for (const name of userEvents) addEventListener(name, stop, { passive: true });
  return stop;
}

/** Sets the title of the tab. The last part tells accounts apart. @param account @default the name of the console */
export function useTitle(title: string, account: string = readBranding().name): void {
  useEffect(() => {
    document.title = `${title} · ${account}`;
  }, [title, account]);
}
