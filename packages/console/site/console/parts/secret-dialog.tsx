import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

export interface SecretDialogProps {
  readonly title: string;
  /** What it is for. */
  readonly children: ComponentChildren;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows what is shown once. It does not close by Escape: what was not copied by then would be gone. */
export function SecretDialog({ title, children, label, secret, onClose }: SecretDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [told, setTold] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret);
      setTold("Copied.");
    } catch {
      // No clipboard over plain HTTP, or without permission.
      field.current?.select();
      setTold("Selected: copy it with Ctrl+C or ⌘C.");
    }
  };
  return (
    <Dialog title={title}>
      {children}
      <label class="field">
        {label}
        <span class="secret">
          <input
            ref={field}
            readOnly
            value={secret}
            autoComplete="off"
            spellcheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button onClick={copy}>Copy</Button>
        </span>
      </label>
      <p class="quiet" role="status">
        {told}
      </p>
      <p class="note waiting">It is shown this once. Nobody can look it up later, and neither can we.</p>
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
