import { Copy } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** How long the button says that it copied. */
const shownMs = 2_000;

export interface CopyButtonProps {
  /** What is copied. */
  readonly text: string;
  /** What the button says. */
  readonly children: string;
  /** A key that clicks the button. */
  readonly shortcut?: string;
  /** True: an icon. Only screen readers and the tooltip say what the button says. */
  readonly isIcon?: boolean;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children, shortcut, isIcon = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<"copied" | "refused">();
  useEffect(() => {
    if (outcome !== "copied") return undefined;
    const timer = setTimeout(() => setOutcome(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (): Promise<void> => setOutcome((await copyText(text)) ? "copied" : "refused");
  return (
    <span class={isIcon ? "copy small" : "copy"} title={isIcon ? children : undefined}>
      <Button
        onClick={copy}
        {...(shortcut === undefined ? {} : { shortcut })}
        {...(isIcon ? { label: children } : {})}
      >
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
