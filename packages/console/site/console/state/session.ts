import type { Session } from "@hookwright/domain";
import { readBaseUrl } from "./read-base-url.ts";

/** One console an origin and path; another server behind the same origin has sessions of its own. */
const storageKey = (): string => `hookwright console ${readBaseUrl()}`;

/**
 * The session of this tab. It survives a reload and ends with the tab: a token in `localStorage` would lie there for whoever sits down
 * at the machine next. Whether it has expired is the server's to say; a browser's clock may be hours off.
 */
export function readSession(): Session | undefined {
  try {
    const text = sessionStorage.getItem(storageKey());
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // A browser that permits no storage: the session lasts as long as the page.
    return undefined;
  }
}

export function keepSession(session: Session | undefined): void {
  try {
    if (session === undefined) sessionStorage.removeItem(storageKey());
    else sessionStorage.setItem(storageKey(), JSON.stringify(session));
  } catch {
    // As above.
  }
}
