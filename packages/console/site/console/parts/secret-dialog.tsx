import { useEffect, useRef, useState } from "preact/hooks";
import type { Secret } from "../state/console-context.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

export interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Shows a secret that is shown only once. Escape does not close it, and the browser asks before a reload. */
export function SecretDialog({ secret: { title, label, value, text }, onClose }: SecretDialogProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [message, setMessage] = useState("");
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setMessage("Copied.");
    } catch {
      // There is no clipboard over plain HTTP or without permission.
      field.current?.select();
      setMessage("Selected. Copy it with Ctrl+C or ⌘C.");
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
        {message}
      </p>
      <p class="note waiting">It is shown only once. Nobody can look it up later, not even we.</p>
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}
