import type { Attempt } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { BodyText } from "./body-text.tsx";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
import { toCurl } from "./to-curl.ts";

export interface RequestBodyProps {
  readonly request: Attempt["request"];
  /** Undefined: there is no command to copy. */
  readonly targetUrl: string | undefined;
}

/** The body of a request, indented or as it was signed. What is copied is always what was signed. */
export function RequestBody({ request, targetUrl }: RequestBodyProps) {
  const [isRaw, setRaw] = useState(false);
  const { body } = request;
  const bytes = new TextEncoder().encode(body).length.toLocaleString("en");
  return (
    <>
      <p class="quiet">
        {isRaw
          ? `These exact bytes were signed: ${bytes} B.`
          : "Indented for reading. The signature is of the raw bytes."}
      </p>
      <BodyText name="Request body">{isRaw ? body : indent(body)}</BodyText>
      <div class="actions">
        <Button onClick={() => setRaw(!isRaw)}>{isRaw ? "Show indented" : "Show raw bytes"}</Button>
        <CopyButton text={body}>Copy raw body</CopyButton>
        {targetUrl === undefined ? null : (
          <CopyButton text={toCurl(targetUrl, request)}>Copy as cURL</CopyButton>
        )}
      </div>
    </>
  );
}

function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
