import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Opens the browser's modal dialog with its element, and closes it before the element leaves the page. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Otherwise the browser does not return the focus.
    return () => dialog?.close();
  }, []);
  return element;
}
