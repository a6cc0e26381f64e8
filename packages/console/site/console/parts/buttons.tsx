import type { Right } from "@hookwright/domain";
import { Copy } from "lucide";
import type { IconNode } from "lucide";
import { h } from "preact";
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { ConsoleContext } from "../state/console-context.ts";

export interface ButtonProps {
  readonly kind?: "primary" | "danger" | "plain";
  readonly type?: "button" | "submit";
  /** True while work is in progress: a click does nothing. A disabled button would lose the focus. */
  readonly busy?: boolean;
  readonly disabled?: boolean;
  /**
   * The right that it needs if it changes data, `true` for `webhooks`, `own` if everybody may. Without the right it is not shown. It is
   * disabled in a demo account and in a read-only session.
   */
  readonly changes?: boolean | Right | "own" | undefined;
  /** The accessible name, if the content is not enough. */
  readonly label?: string | undefined;
  /** A key that clicks the button. */
  readonly shortcut?: string | undefined;
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
  const { readOnly, rights } = useContext(ConsoleContext) ?? {};
  const needed = changes === true ? "webhooks" : changes;
  const isOpen = needed === false || needed === "own";
  if (!isOpen && rights !== undefined && !rights.includes(needed)) return null;
  const isRefused = readOnly !== undefined && needed !== false;
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

/** How long the button says that it copied. */
const shownMs = 2_000;

export interface CopyButtonProps {
  /** What is copied. */
  readonly text: string;
  /** What the button says. */
  readonly children: string;
  /** The accessible name, if others on the screen say the same. */
  readonly label?: string;
  /** A key that clicks the button. */
  readonly shortcut?: string | undefined;
  /** True: an icon. Only screen readers and the tooltip say what the button says. */
  readonly isIcon?: boolean;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children, label, shortcut, isIcon = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (outcome !== "copied") return undefined;
    const timer = setTimeout(() => setOutcome(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => setOutcome((await copyText(text)) ? "copied" : "refused");
  return (
    <span class={isIcon ? "copy small" : "copy"} title={isIcon ? children : undefined}>
      <Button onClick={copy} shortcut={shortcut} label={isIcon ? children : label}>
        {isIcon ? <Icon of={Copy} /> : children}
      </Button>
      {/* The first text covers the button, so that nothing moves. */}
      <span class={outcome === "refused" ? "quiet" : "done"} role="status">
        {outcome === "copied" ? "Copied." : null}
        {outcome === "refused" ? "The browser does not allow copying here. Select the text." : null}
      </span>
    </span>
  );
}

/** Returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard over plain HTTP or without permission.
    return false;
  }
}

/** A command for a terminal, with a copy button. Browsers would break a line within `--option`, so each word is an element. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <div class="command-line">
      <code>{text.split(" ").flatMap((word, index) => [index === 0 ? "" : " ", <span>{word}</span>])}</code>
      <CopyButton text={text} label={`Copy ${text}`}>
        Copy
      </CopyButton>
    </div>
  );
}

/** An icon. It repeats the text beside it, so screen readers skip it. */
export function Icon({ of }: { readonly of: IconNode }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
