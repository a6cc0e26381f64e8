import { useState } from "preact/hooks";
import { Button } from "./button.tsx";

export interface CopyButtonProps {
  /** What is copied. */
  readonly text: string;
  /** What the button says. */
  readonly children: string;
  /** A key that clicks the button. */
  readonly shortcut?: string;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, children, shortcut }: CopyButtonProps) {
  const [outcome, setOutcome] = useState("");
  const copy = async (): Promise<void> => {
    setOutcome(
      (await copyText(text)) ? "Copied." : "The browser does not allow copying here. Select the text.",
    );
  };
  return (
    <>
      <Button onClick={copy} {...(shortcut === undefined ? {} : { shortcut })}>
        {children}
      </Button>
      <span class="quiet" role="status">
        {outcome}
      </span>
    </>
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
