import { useEffect, useRef, useState } from "preact/hooks";
import type { Secret } from "../state/console-context.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

export interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Shows what is shown once, all of it. Escape does not close it, and the browser asks before a reload: what was not copied by then would be gone. */
export function SecretDialog({ secret: { title, label, value, text }, onClose }: SecretDialogProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [told, setTold] = useState("");
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setTold("Copied.");
    } catch {
      // No clipboard over plain HTTP, or without permission.
      field.current?.select();
      setTold("Selected: copy it with Ctrl+C or ⌘C.");
    }
  };
  return (
    <Dialog title={title}>
      <p>{text}</p>
      <Field label={label}>
        {(control) => (
          <div class="secret">
            <textarea
              {...control}
              ref={field}
              readOnly
              rows={2}
              value={value}
              autoComplete="off"
              spellcheck={false}
              onFocus={(event) => event.currentTarget.select()}
            />
            <Button onClick={copy}>Copy</Button>
          </div>
        )}
      </Field>
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
