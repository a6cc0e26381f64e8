import type { BodyDifference, Comparison } from "@hookwright/domain";
import { useEffect, useRef, useState } from "preact/hooks";
import { toPath } from "../../api/console-api.ts";
import { Button } from "../../parts/buttons.tsx";
import { Field } from "../../parts/fields.tsx";
import { FailureNote } from "../../parts/page.tsx";
import { useConsole } from "../../state/console-context.ts";
import { useAction } from "../../state/use-api.ts";

export interface CompareReceivedProps {
  /** Of the delivery. */
  readonly id: string;
  /** Of the attempt. */
  readonly number: number;
}

/** Compares what an endpoint received with what an attempt sent. */
export function CompareReceived({ id, number }: CompareReceivedProps) {
  const { api } = useConsole();
  const action = useAction();
  const [received, setReceived] = useState("");
  const [file, setFile] = useState<File>();
  const fileInput = useRef<HTMLInputElement>(null);
  /** The newest of both counts. */
  const write = (text: string): void => {
    setReceived(text);
    setFile(undefined);
    if (fileInput.current !== null) fileInput.current.value = "";
  };
  const [compared, setCompared] = useState<Comparison>();
  useEffect(() => setCompared(undefined), [received, file]);
  const compare = async (): Promise<void> => {
    const input = file === undefined ? { received } : { received: await toBase64(file), encoding: "base64" };
    const path = toPath("deliveries", id, "attempts", String(number), "compare");
    setCompared(await api.post<Comparison>(path, input));
  };
  return (
    <form
      class="compare"
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(compare);
      }}
    >
      <Field
        label="What your endpoint received"
        hint="The body, the headers, or both, as text or as your program printed them. It is compared and not kept."
      >
        {(control) => (
          <textarea
            {...control}
            rows={5}
            spellcheck={false}
            value={received}
            onInput={({ currentTarget }) => write(currentTarget.value)}
            onPaste={(event) => {
              const { value, selectionStart, selectionEnd } = event.currentTarget;
              if (selectionEnd - selectionStart < value.length) return;
              // A text field would change the line ends.
              event.preventDefault();
              write(event.clipboardData?.getData("text/plain") ?? "");
            }}
          />
        )}
      </Field>
      <Field label="Or a file with it, which keeps every byte">
        {(control) => (
          <input
            {...control}
            ref={fileInput}
            type="file"
            onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div class="actions">
        <Button type="submit" busy={action.busy} disabled={received === "" && file === undefined}>
          Compare
        </Button>
      </div>
      <FailureNote failure={action.failure} />
      <div role="status">{compared === undefined ? null : <Outcome of={compared} />}</div>
    </form>
  );
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function Outcome({ of: { parts, difference, problems } }: { readonly of: Comparison }) {
  if (problems.length === 0)
    return (
      <p class="note good">
        ● The {parts.join(" and the ")} arrived as sent. If the signature was refused, the secret or the clock
        is wrong: <b>Signature</b> checks a secret.
      </p>
    );
  return (
    <>
      {problems.map(({ message }) => (
        <p key={message} class="note bad">
          {message}
        </p>
      ))}
      {difference === undefined ? null : <Difference of={difference} />}
    </>
  );
}

function Difference({ of }: { readonly of: BodyDifference }) {
  const { offset, line, column, before, sent, received } = of;
  return (
    <>
      <p>
        The first different byte is byte {offset} of the body: line {line}, column {column}.
      </p>
      <dl class="difference">
        {Object.entries({ Sent: sent, Received: received }).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>
                {before}
                <mark>{firstOf(text) || "⟨end⟩"}</mark>
                {text.slice(firstOf(text).length)}
              </code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** The first character, which may be written as `⟨U+FEFF⟩`. */
function firstOf(text: string): string {
  return /^(?:⟨.+?⟩|.)/su.exec(text)?.[0] ?? "";
}
