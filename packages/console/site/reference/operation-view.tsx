import { useEffect, useId, useRef, useState } from "preact/hooks";
import { BodyText } from "../console/parts/bodies.tsx";
import { Button, CopyButton } from "../console/parts/buttons.tsx";
import type { ApiDocument, Operation } from "./document.ts";
import { resolve } from "./document.ts";
import { FieldList, innerOf, ParameterList } from "./fields.tsx";
import { draftOf, findDots, toCurl, toUrl } from "./request.ts";
import type { Draft } from "./request.ts";
import { Text, toInline } from "../console/parts/text.tsx";

export interface OperationViewProps {
  readonly document: ApiDocument;
  readonly operation: Operation;
  /** The key or the token that requests have. */
  readonly credential: string;
  /** The key that code shows. */
  readonly shownKey: string | undefined;
  /** True for a request of ours to an endpoint of the reader. */
  readonly isSent: boolean;
}

export function OperationView({ document, operation, credential, shownKey, isSent }: OperationViewProps) {
  const { anchor, method, path, summary, description, parameters, body, responses } = operation;
  const [draft, setDraft] = useState(() => draftOf(operation));
  const [isOpen, setOpen] = useState(false);
  const success = responses.find(({ status }) => status.startsWith("2"));
  return (
    <section class="operation" aria-labelledby={anchor}>
      <div>
        <h3 id={anchor}>{summary}</h3>
        <p class="operation-path">
          <code class={`method ${method.toLowerCase()}`}>{method}</code>{" "}
          <code>{isSent ? "your endpoint" : path}</code>
        </p>
        <Text>{description}</Text>
        {parameters.length === 0 ? null : (
          <>
            <h4>{isSent ? "Headers" : "Parameters"}</h4>
            <ParameterList document={document} parameters={parameters} />
          </>
        )}
        {body === undefined ? null : (
          <>
            <h4>Body</h4>
            <Text>{body.description}</Text>
            <FieldList document={document} schema={innerOf(document, resolve(document, body.schema)) ?? {}} />
          </>
        )}
        <h4>Responses</h4>
        <ul class="fields">
          {responses.map(({ status, description: text, schema }) => (
            <li key={status}>
              <p class="field-head">
                <code class={status.startsWith("2") ? "" : "bad-status"}>{status}</code>
              </p>
              <p>{toInline(text)}</p>
              {schema?.properties?.["data"] === undefined ? null : (
                <details>
                  <summary>Fields of the response</summary>
                  <FieldList document={document} schema={schema} />
                </details>
              )}
            </li>
          ))}
        </ul>
      </div>
      <div class="samples">
        {isSent ? (
          <Sample name="Body" text={JSON.stringify(body?.example, null, 2)} />
        ) : (
          <>
            <Sample name="cURL" text={toCurl(operation, draft, location.href, shownKey)} />
            {isOpen ? (
              <TryIt operation={operation} draft={draft} onDraft={setDraft} credential={credential} />
            ) : (
              <p>
                <Button label={`Try it: ${summary}`} onClick={() => setOpen(true)}>
                  Try it
                </Button>
              </p>
            )}
            {success?.example === undefined ? null : (
              <Sample name={`Response ${success.status}`} text={JSON.stringify(success.example, null, 2)} />
            )}
          </>
        )}
      </div>
    </section>
  );
}

function Sample({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div class="sample">
      <p class="sample-head">
        <span>{name}</span>
        <CopyButton text={text} isIcon>
          Copy
        </CopyButton>
      </p>
      <BodyText name={name}>{text}</BodyText>
    </div>
  );
}

interface TryItProps {
  readonly operation: Operation;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly credential: string;
}

/** Sends the request from this page. It takes the focus of the button that it replaces. */
function TryIt({ operation, draft, onDraft, credential }: TryItProps) {
  const [answer, setAnswer] = useState<{ readonly title: string; readonly text: string }>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea, button")?.focus(), []);
  async function send(): Promise<void> {
    const dots = findDots(operation, draft);
    if (dots !== undefined) {
      setAnswer({ title: "Not sent", text: `Enter another value than "." or ".." for ${dots}.` });
      return;
    }
    setBusy(true);
    try {
      const startedAt = performance.now();
      const response = await fetch(toUrl(operation, draft, location.href), {
        method: operation.method,
        headers: {
          ...(operation.isPublic || credential === "" ? {} : { authorization: `Bearer ${credential}` }),
          ...(operation.body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(operation.body === undefined ? {} : { body: draft.body }),
      });
      const text = await response.text();
      const took = Math.round(performance.now() - startedAt);
      setAnswer({ title: `Answered ${response.status} in ${took} ms`, text: indent(text) });
    } catch {
      setAnswer({
        title: "No answer",
        text: "The server could not be reached. Check your connection, and send again.",
      });
    } finally {
      setBusy(false);
    }
  }
  return (
    <form
      ref={form}
      class="try-it"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {operation.parameters.map(({ name, in: place, required = false }) => (
        <div class="field" key={name}>
          <label for={`${id}-${name}`}>
            {name} <span class="quiet">in {place}</span>
          </label>
          <input
            id={`${id}-${name}`}
            required={required}
            value={draft.values[name] ?? ""}
            onInput={({ currentTarget }) =>
              onDraft({ ...draft, values: { ...draft.values, [name]: currentTarget.value } })
            }
          />
        </div>
      ))}
      {operation.body === undefined ? null : (
        <div class="field">
          <label for={`${id}-body`}>Body</label>
          <textarea
            id={`${id}-body`}
            rows={Math.min(14, draft.body.split("\n").length)}
            spellcheck={false}
            value={draft.body}
            onInput={({ currentTarget }) => onDraft({ ...draft, body: currentTarget.value })}
          />
        </div>
      )}
      <p>
        <Button type="submit" kind="primary" busy={isBusy}>
          Send
        </Button>
      </p>
      <p class="heard" role="status">
        {answer?.title}
      </p>
      {answer === undefined ? null : <Sample name={answer.title} text={answer.text} />}
    </form>
  );
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
