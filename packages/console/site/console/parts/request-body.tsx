import type { Attempt } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { BodyText } from "./body-text.tsx";
import { CopyButton } from "./copy-button.tsx";
import { JsonTree } from "./json-tree.tsx";
import { Segments } from "./segments.tsx";

const forms = [
  ["pretty", "Pretty"],
  ["tree", "Tree"],
  ["raw", "Raw"],
] as const;

/** The body of a request: indented, as a tree, or as it was signed. What is copied is always what was signed. */
export function RequestBody({ request }: { readonly request: Attempt["request"] }) {
  const [form, setForm] = useState<(typeof forms)[number][0]>("pretty");
  const { body } = request;
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

/** Undefined if it is not JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
