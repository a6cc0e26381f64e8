import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { useModal } from "./use-modal.ts";

export interface DrawerProps {
  readonly title: ComponentChildren;
  /** Beside the close button. */
  readonly actions?: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog at the right edge. The list behind it stays where it is. */
export function Drawer({ title, actions, onClose, children }: DrawerProps) {
  const element = useModal();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // Otherwise the browser focuses the first button.
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <dialog
      ref={element}
      class="drawer"
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) onClose();
      }}
      onClick={({ target, currentTarget }) => {
        // A click on the backdrop has the dialog itself as its target.
        if (target === currentTarget) onClose();
      }}
    >
      <div class="drawer-content">
        <header>
          <h2 ref={heading} id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {actions}
          <button type="button" class="button icon-only" aria-label="Close" onClick={onClose}>
            <Icon of={X} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
