import { useEffect, useRef, useState } from "preact/hooks";
import type { Secret, SecretForm } from "../state/console-context.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

export interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Shows a secret that is shown only once. Escape does not close it, and the browser asks before a reload. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { title, otherForms = [], areSeveral = false, text, next } = secret;
  const [message, setMessage] = useState("");
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={title}>
      <div>{text}</div>
      {[secret, ...otherForms].map((form) => (
        <SecretField key={form.value} form={form} onMessage={setMessage} />
      ))}
      <p class="quiet" role="status">
        {message}
      </p>
      <p class="note warn">
        {areSeveral
          ? "They are shown only once. Nobody can look them up later, not even we."
          : "It is shown only once. Nobody can look it up later, not even we."}
      </p>
      {next}
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          {areSeveral ? "I have stored them" : "I have stored it"}
        </Button>
      </div>
    </Dialog>
  );
}

/** The form of a signing secret for libraries for Standard Webhooks, if the server sends their headers. */
export function toStandardForm(value: string | undefined): readonly SecretForm[] {
  return value === undefined ? [] : [{ label: "For Standard Webhooks libraries", value }];
}

interface SecretFieldProps {
  readonly form: SecretForm;
  readonly onMessage: (message: string) => void;
}

function SecretField({ form: { label, value, variable }, onMessage }: SecretFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      onMessage("Copied.");
    } catch {
      // There is no clipboard over plain HTTP or without permission.
      field.current?.select();
      onMessage("Selected. Copy it with Ctrl+C or ⌘C.");
    }
  };
  return (
    <Field
      label={label}
      {...(variable === undefined
        ? {}
        : {
            hint: (
              <>
                Environment variable <code>{variable}</code>
              </>
            ),
          })}
    >
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
  );
}
