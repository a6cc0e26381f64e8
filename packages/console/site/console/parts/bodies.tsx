import { goneBodies } from "@hookwright/domain";
import type { Attempt } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { CopyButton } from "./buttons.tsx";
import { Segments } from "./fields.tsx";

/** It may scroll, so it must be focusable. Not every browser does this itself. */
export function BodyText({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <pre tabIndex={0} role="group" aria-label={name}>
      {children}
    </pre>
  );
}

/** A JSON value whose objects and arrays can be closed. */
export function JsonTree({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <div class="json-tree" role="group" aria-label={name} tabIndex={0}>
      <Branch value={value} depth={0} />
    </div>
  );
}

/** Deeper values are closed at first. */
const openDepth = 3;

function Branch({
  name,
  value,
  depth,
}: {
  readonly name?: string;
  readonly value: unknown;
  readonly depth: number;
}) {
  const label = name === undefined ? null : <span class="json-name">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div>
        {label}
        <span class={`json-${typeof value}`}>{JSON.stringify(value)}</span>
      </div>
    );
  const entries = Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0)
    return (
      <div>
        {label}
        {Array.isArray(value) ? "[]" : "{}"}
      </div>
    );
  return (
    <details open={depth < openDepth}>
      <summary>
        {label}
        <span class="quiet">{size}</span>
      </summary>
      {entries.map(([key, each]) => (
        <Branch key={key} name={key} value={each} depth={depth + 1} />
      ))}
    </details>
  );
}

const forms = { pretty: "Pretty", tree: "Tree", raw: "Raw" };

/** The body of a request: indented, as a tree, or as it was signed. What is copied is always what was signed. */
export function RequestBody({ body }: { readonly body: string }) {
  const [form, setForm] = useState<keyof typeof forms>("pretty");
  const bytes = new TextEncoder().encode(body).length.toLocaleString("en");
  const value = parse(body);
  return (
    <>
      <div class="actions">
        <Segments label="Form of the body" value={form} choices={forms} onChoose={setForm} />
        <CopyButton text={body}>Copy raw body</CopyButton>
      </div>
      <p class="quiet">
        {form === "raw"
          ? `These exact bytes were signed: ${bytes} B.`
          : `For reading. The signature is of the ${bytes} raw bytes.`}
      </p>
      {form === "tree" && value !== undefined ? (
        <JsonTree name="Request body" value={value} />
      ) : (
        <BodyText name="Request body">
          {form === "raw" || value === undefined ? body : JSON.stringify(value, null, 2)}
        </BodyText>
      )}
    </>
  );
}

/** Why there is no body to show. */
export function GoneBodies({ state }: { readonly state: Attempt["body_state"] }) {
  if (state === "kept") return null;
  return <p class="quiet">The bodies of this attempt are not in the log. {goneBodies[state]}</p>;
}

/** Undefined if it is not JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
