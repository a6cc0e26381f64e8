import type { SigningSecret } from "@hookwright/domain";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Secret, SecretForm } from "../state/console-context.ts";
import { readHeaderPrefix } from "../state/page.ts";
import { BodyText } from "./bodies.tsx";
import { Button, CommandLine, CopyButton, copyText } from "./buttons.tsx";
import { Dialog } from "./dialogs.tsx";
import { Field, Segments } from "./fields.tsx";
import { readCommands, readServer } from "./listen-commands.tsx";
import { renderSnippet, snippetLanguages } from "./verify-snippets.ts";
import type { SnippetLanguage } from "./verify-snippets.ts";

export interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Shows a secret that is shown only once. Escape does not close it, and the browser asks before a reload. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { title, otherForms = [], text, next } = secret;
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
      <p class="note warn">It is shown only once. Nobody can look it up later, not even we.</p>
      {next}
      <div class="actions end">
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </Dialog>
  );
}

/** The form of a signing secret for libraries for Standard Webhooks, if the server sends their headers and it differs. */
export function toStandardForm({
  signing_secret: ours,
  standard_signing_secret: value,
}: SigningSecret): readonly SecretForm[] {
  return value === undefined || value === ours ? [] : [{ label: "For Standard Webhooks libraries", value }];
}

interface SecretFieldProps {
  readonly form: SecretForm;
  readonly onMessage: (message: string) => void;
}

function SecretField({ form: { label, value }, onMessage }: SecretFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const copy = async (): Promise<void> => {
    if (await copyText(value)) return onMessage("Copied.");
    field.current?.select();
    onMessage("Selected. Copy it with Ctrl+C or ⌘C.");
  };
  return (
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
          <Button label={`Copy ${label}`} onClick={copy}>
            Copy
          </Button>
        </div>
      )}
    </Field>
  );
}

/** How a receiver verifies deliveries, from the installation to the reason of a refusal. */
export function VerifySnippet() {
  const [language, setLanguage] = useState<SnippetLanguage>("Node");
  const { install, call, note } = renderSnippet(language, {
    server: readServer(),
    headerPrefix: readHeaderPrefix(),
  });
  return (
    <div class="snippet">
      <div class="actions">
        <Segments label="Language" value={language} choices={snippetLanguages} onChoose={setLanguage} />
        <CopyButton text={call} label={`Copy the code for ${language}`}>
          Copy
        </CopyButton>
      </div>
      <CommandLine text={install} />
      {note === undefined ? null : <p class="quiet">{note}</p>}
      <BodyText name={`Verification in ${language}`}>{call}</BodyText>
      <p class="quiet">
        While a secret is rotated, <code>WEBHOOK_SECRET</code> has both, with a comma between them. A time
        that differs from your clock by more than five minutes is refused. <code>hookwright verify</code>{" "}
        explains why a stored request is refused:
      </p>
      <CommandLine text={readCommands().verify} />
    </div>
  );
}
