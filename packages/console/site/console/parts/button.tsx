import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { ConsoleContext } from "../state/console-context.ts";

export interface ButtonProps {
  readonly kind?: "primary" | "danger" | "plain";
  readonly type?: "button" | "submit";
  /** Something is under way: a click does nothing. The button keeps the focus, which one that is disabled would lose. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /** It changes something: in a demo account it cannot be pressed. */
  readonly changes?: boolean;
  /** Its name, where what is on it is not enough. */
  readonly label?: string;
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
  onClick,
  children,
}: ButtonProps) {
  const isRefused = (useContext(ConsoleContext)?.readOnly ?? false) && changes;
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled || isRefused}
      title={isRefused ? "A demo account changes nothing." : undefined}
      aria-disabled={busy ? "true" : undefined}
      aria-label={label}
      onClick={busy ? undefined : onClick}
    >
      {children}
    </button>
  );
}
