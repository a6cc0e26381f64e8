import { sessionName } from "../state/session.ts";

const tokenName = (): string => `${sessionName()} operator`;

/** Whether the host has switched on the pages for its staff. The server writes it into the page. */
export function hasOperatorPages(): boolean {
  return document.getElementById("console")?.dataset["operator"] !== undefined;
}

/** Whether the address is one of the pages for the host's staff. */
export function isOperatorAddress(): boolean {
  return /^#\/operator(?:[/?]|$)/u.test(location.hash) && hasOperatorPages();
}

/** The host token of this tab. It survives a reload and ends with the tab. */
export function readHostToken(): string | undefined {
  try {
    return sessionStorage.getItem(tokenName()) ?? undefined;
  } catch {
    // Without permission for storage, the session lasts as long as the page.
    return undefined;
  }
}

export function saveHostToken(token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(tokenName());
    else sessionStorage.setItem(tokenName(), token);
  } catch {
    // As above.
  }
}
