import type { LinkedSession, Session } from "@hookwright/domain";

declare global {
  interface Window {
    /** Gives its session to a tab that this page has opened, once. */
    giveConsoleSession?: ((tab: Window) => Session | LinkedSession | undefined) | undefined;
  }
}

/**
 * Opens links of the console and to the reference in a new tab itself, so that the tab gets the session. A tab that the browser opens has no opener.
 *
 * @returns a function that ends this
 */
export function shareWithNewTabs(session: Session | LinkedSession): () => void {
  const opened = new Set<Window>();
  const onClick = (event: MouseEvent): void => {
    const link =
      event.target instanceof Element ? event.target.closest('a:is([href^="#"], [href^="reference"])') : null;
    if (link === null || event.defaultPrevented || event.button > 1) return;
    const { button, ctrlKey, metaKey, shiftKey } = event;
    const isForNewTab = button === 1 || ctrlKey || metaKey || shiftKey || link.hasAttribute("target");
    if (!isForNewTab) return;
    event.preventDefault();
    const tab = open(link.getAttribute("href") ?? "", "_blank");
    if (tab !== null) opened.add(tab);
  };
  window.giveConsoleSession = (tab) => (opened.delete(tab) ? session : undefined);
  addEventListener("click", onClick);
  addEventListener("auxclick", onClick);
  return () => {
    window.giveConsoleSession = undefined;
    removeEventListener("click", onClick);
    removeEventListener("auxclick", onClick);
  };
}

/**
 * The session of the console that has opened this tab. Because of the page's `Cross-Origin-Opener-Policy` only a page with the same
 * header is an opener, which browsers ignore without HTTPS.
 */
export function takeFromOpener(): Session | LinkedSession | undefined {
  if (!isSecureContext || opener === null) return undefined;
  try {
    const { giveConsoleSession }: Window = opener;
    return giveConsoleSession?.(window);
  } catch {
    // A page of another origin.
    return undefined;
  } finally {
    // Neither this tab nor a later page in it reaches the other one again.
    opener = null;
  }
}
