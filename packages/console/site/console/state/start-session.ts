import type { LinkedSession, Session } from "@hookwright/domain";
import { toApiFailure } from "../api/api-failure.ts";
import { createConsoleApi } from "../api/console-api.ts";
import { readBaseUrl } from "./read-base-url.ts";
import { requestSession } from "./session-sharing.ts";

export interface Start {
  readonly session?: Session | LinkedSession | undefined;
  /** Why the user must sign in. Empty: no special reason. */
  readonly reason: string;
}

/**
 * Takes the code of a host's link (`#/link/<code>`) out of the address, so that it is not in the history.
 *
 * @returns undefined without a code
 */
export function takeLinkCode(): string | undefined {
  const [, code] = /^#\/link\/([\w-]+)$/u.exec(location.hash) ?? [];
  if (code !== undefined) history.replaceState(history.state, "", "#/");
  return code;
}

/** A link that is pasted into an open console changes only the fragment. */
export function reloadOnLink(): void {
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#/link/")) location.reload();
  });
}

/**
 * The first session of a page: that of the link, or that of another tab.
 *
 * @param onLate called if another tab answers after the sign-in form is shown
 */
export async function startSession(
  linkCode: string | undefined,
  onLate: (session: Session) => void,
): Promise<Start> {
  if (linkCode === undefined) return { session: await requestSession(onLate), reason: "" };
  try {
    const api = createConsoleApi({ baseUrl: readBaseUrl() });
    const session = await api.post<LinkedSession>("console/api/session/link", { code: linkCode });
    return { session, reason: "" };
  } catch (error) {
    return { reason: toApiFailure(error).message };
  }
}
