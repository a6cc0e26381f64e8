import type { Session } from "@hookwright/domain";
import { readBaseUrl } from "./base-url.ts";

/** One console an origin and path; another server behind the same origin has sessions of its own. */
const storageKey = (): string => `hookwright console ${readBaseUrl()}`;

/**
 * The session of this tab. It survives a reload and ends with the tab: a token in `localStorage` would lie there for whoever sits down
 * at the machine next.
 */
export function readSession(now: number): Session | undefined {
  try {
    const text = sessionStorage.getItem(storageKey());
    if (text === null) return undefined;
    const session: Session = JSON.parse(text);
    return Date.parse(session.expires_at) > now ? session : undefined;
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
