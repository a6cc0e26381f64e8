import type { ComponentChildren } from "preact";

export interface ButtonProps {
  readonly kind?: "primary" | "danger" | "plain";
  readonly type?: "button" | "submit";
  /** Something is under way: a click does nothing. The button keeps the focus, which one that is disabled would lose. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
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
  label,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled}
      aria-disabled={busy ? "true" : undefined}
      aria-label={label}
      onClick={busy ? undefined : onClick}
    >
      {children}
    </button>
  );
}
