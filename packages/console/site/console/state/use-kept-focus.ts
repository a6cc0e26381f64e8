import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** What takes the focus in an element's stead: a row tells itself, other places are told by what is at their head. */
const substitutes = ":scope > .told, :scope > h2, :scope > h1, :scope > header > h1";

/**
 * Where what has the focus goes away, such as a button that has done its work, the nearest place around it takes the focus; what a dialog
 * was opened from takes it where a second one came in between. The browser would give it to the page as a whole, and who hears the page
 * would begin anew.
 */
export function useKeptFocus(frame: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const root = frame.current;
    if (root === null) return undefined;
    /** What had the focus last on the screen and in the dialog above it, each with all that is around it. */
    let onScreen: readonly Element[] = [];
    let inDialog: readonly Element[] = [];
    const note = ({ target }: FocusEvent): void => {
      const around = readAround(target);
      if (isInDialog(target)) inDialog = around;
      else [onScreen, inDialog] = [around, []];
    };
    // Who points elsewhere has left it.
    const forget = ({ target }: PointerEvent): void => {
      inDialog = [];
      if (!isInDialog(target)) onScreen = [];
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return;
      const isDialogOpen = inDialog.some((element) => element.matches("dialog[open]") && element.isConnected);
      const hasDialogGone = inDialog.length > 0 && !isDialogOpen;
      const around = isDialogOpen ? inDialog : onScreen;
      if (hasDialogGone || around[0]?.isConnected === false) focusNearest(around);
    });
    root.addEventListener("focusin", note);
    root.addEventListener("pointerdown", forget);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener("focusin", note);
      root.removeEventListener("pointerdown", forget);
      observer.disconnect();
    };
  }, []);
}

function readAround(target: EventTarget | null): readonly Element[] {
  const around: Element[] = [];
  for (
    let element = target instanceof Element ? target : null;
    element !== null;
    element = element.parentElement
  )
    around.push(element);
  return around;
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("dialog") !== null;

function focusNearest(around: readonly Element[]): void {
  for (const element of around) {
    if (!element.isConnected) continue;
    const isItself = element === around[0] || element.matches("tr");
    const nearest = isItself ? element : element.querySelector(substitutes);
    if (!(nearest instanceof HTMLElement)) continue;
    if (nearest.tabIndex < 0) nearest.tabIndex = -1;
    nearest.focus({ preventScroll: true });
    return;
  }
}
