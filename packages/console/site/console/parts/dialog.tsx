import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: ComponentChildren;
  /** Called for Escape too. Undefined: it is closed by what is in it alone. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** The browser's own modal dialog, which keeps the focus inside. It gives the focus back to what opened it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // While it is still in the page: closed outside of it, the dialog gives the focus to nobody.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        // Browsers close it on a second Escape, whatever was answered to the first.
        if (onClose === undefined) currentTarget.showModal();
        else onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
