import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { useModal } from "./use-modal.ts";

export interface DialogProps {
  readonly title: ComponentChildren;
  /** Called on Escape too. Undefined if only the content may close the dialog. */
  readonly onClose?: (() => void) | undefined;
  /** `palette`: narrow, at the top, without a visible title. */
  readonly kind?: "palette";
  readonly children: ComponentChildren;
}

/** The browser's modal dialog. It keeps the focus inside, and returns it to the element that opened it. */
export function Dialog({ title, onClose, kind, children }: DialogProps) {
  const element = useModal();
  const titleId = useId();
  return (
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        // Browsers close it on a second Escape, even if the first was prevented.
        if (onClose === undefined) currentTarget.showModal();
        else onClose();
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}
