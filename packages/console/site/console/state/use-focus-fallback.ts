import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** The elements that get the focus instead. A row gets it itself; a section's heading gets it for the section. */
const substitutes = ":scope > .told, :scope > h2, :scope > h1, :scope > header > h1";

/**
 * When the focused element disappears, the nearest ancestor gets the focus, or the element that opened a closed dialog.
 * The browser would move the focus to the page, and a screen reader would start again at the top.
 */
export function useFocusFallback(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const root = frame.current;
    if (root === null) return undefined;
    /** The elements that had the focus last on the screen and in the dialog, each with its ancestors. */
    let onScreen: readonly Element[] = [];
    let inDialog: readonly Element[] = [];
    const rememberFocus = ({ target }: FocusEvent): void => {
      const ancestors = readAncestors(target);
      if (isInDialog(target)) inDialog = ancestors;
      else [onScreen, inDialog] = [ancestors, []];
    };
    // A user who points elsewhere has left the element.
    const forgetFocus = ({ target }: PointerEvent): void => {
      inDialog = [];
      if (!isInDialog(target)) onScreen = [];
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return;
      const isDialogOpen = inDialog.some((element) => element.matches("dialog[open]") && element.isConnected);
      const hasDialogGone = inDialog.length > 0 && !isDialogOpen;
      const ancestors = isDialogOpen ? inDialog : onScreen;
      if (hasDialogGone || ancestors[0]?.isConnected === false) focusNearest(ancestors);
    });
    root.addEventListener("focusin", rememberFocus);
    root.addEventListener("pointerdown", forgetFocus);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener("focusin", rememberFocus);
      root.removeEventListener("pointerdown", forgetFocus);
      observer.disconnect();
    };
  }, []);
}

function readAncestors(target: EventTarget | null): readonly Element[] {
  const ancestors: Element[] = [];
  for (
    let element = target instanceof Element ? target : null;
    element !== null;
    element = element.parentElement
  )
    ancestors.push(element);
  return ancestors;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("dialog") !== null;

function focusNearest(ancestors: readonly Element[]): void {
  for (const element of ancestors) {
    if (!element.isConnected) continue;
    const isItself = element === ancestors[0] || element.matches("tr");
    const nearest = isItself ? element : element.querySelector(substitutes);
    if (!(nearest instanceof HTMLElement)) continue;
    if (nearest.tabIndex < 0) nearest.tabIndex = -1;
    nearest.focus({ preventScroll: true });
    return;
  }
}
