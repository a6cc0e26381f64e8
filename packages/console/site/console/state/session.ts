import type { LinkedSession, Session } from "@hookwright/domain";

interface Kept {
  readonly session?: Session | LinkedSession | undefined;
  /** The token of the host's staff. */
  readonly hostToken?: string | undefined;
}

/**
 * What this tab keeps over a reload. It is in the state of its history entries, which only the document of an entry can read. Any page of
 * the same origin could read `sessionStorage` in this tab, and `localStorage` in all tabs.
 */
let kept: Kept = {};

/**
 * A page of the same origin can give an entry any state, but not this mark: it is also the name of the window, which the browser clears
 * when the tab leaves the console, because of the page's `Cross-Origin-Opener-Policy`.
 */
let mark: string = Array.from(crypto.getRandomValues(new Uint32Array(4)), String).join("-");

restore();
// Each entry has its own state, and an earlier one may still have the session of another account.
addEventListener("popstate", write);

export function readSession(): Kept["session"] {
  return kept.session;
}

export function saveSession(session: Kept["session"]): void {
  kept = { ...kept, session };
  write();
}

export function readHostToken(): string | undefined {
  return kept.hostToken;
}

export function saveHostToken(hostToken: string | undefined): void {
  kept = { ...kept, hostToken };
  write();
}

function restore(): void {
  const state: (Kept & { readonly mark?: unknown }) | null = history.state;
  if (state === null || state.mark !== window.name || window.name === "") return;
  mark = window.name;
  kept = { session: state.session, hostToken: state.hostToken };
}

function write(): void {
  window.name = mark;
  history.replaceState({ ...history.state, ...kept, mark }, "");
}
