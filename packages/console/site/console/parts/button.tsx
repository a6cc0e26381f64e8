import type { ComponentChildren } from "preact";

export interface ButtonProps {
  readonly kind?: "primary" | "danger" | "plain";
  readonly type?: "button" | "submit";
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}

export function Button({
  kind = "plain",
  type = "button",
  busy = false,
  disabled = false,
  onClick,
  children,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={disabled || busy}
      aria-busy={busy}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
