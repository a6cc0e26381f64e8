import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { ConsoleContext } from "../state/console-context.ts";

export interface ButtonProps {
  readonly kind?: "primary" | "danger" | "plain";
  readonly type?: "button" | "submit";
  /** True while work is in progress: a click does nothing. A disabled button would lose the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** True if the button changes data. It is disabled in a demo account and in a read-only session. */
  readonly changes?: boolean;
  /** The accessible name, if the content is not enough. */
  readonly label?: string;
  /** A key that clicks the button. */
  readonly shortcut?: string;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

export function Button({
  kind = "plain",
  type = "button",
  busy = false,
  disabled = false,
  changes = false,
  label,
  shortcut,
  onClick,
  children,
}: ButtonProps) {
  const readOnly = useContext(ConsoleContext)?.readOnly;
  const isRefused = readOnly !== undefined && changes;
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled || isRefused}
      title={isRefused ? `A ${readOnly} cannot change anything.` : undefined}
      aria-disabled={busy ? "true" : undefined}
      aria-label={label}
      data-shortcut={shortcut}
      onClick={busy ? undefined : onClick}
    >
      {children}
    </button>
  );
}
