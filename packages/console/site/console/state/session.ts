import type { LinkedSession, Session } from "@hookwright/domain";
import { readBaseUrl } from "./read-base-url.ts";

/** Each origin and path has its own session, because several servers may share an origin. */
export const sessionName = (): string => `hookwright console ${readBaseUrl()}`;

/**
 * The session of this tab. It survives a reload and ends with the last tab that has it. A token in `localStorage` would be available to
 * the next user of the machine. The server decides whether it has expired, because a browser's clock may be wrong.
 */
export function readSession(): Session | LinkedSession | undefined {
  try {
    const text = sessionStorage.getItem(sessionName());
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // Without permission for storage, the session lasts as long as the page.
    return undefined;
  }
}

export function saveSession(session: Session | undefined): void {
  try {
    if (session === undefined) sessionStorage.removeItem(sessionName());
    else sessionStorage.setItem(sessionName(), JSON.stringify(session));
  } catch {
    // As above.
  }
}
