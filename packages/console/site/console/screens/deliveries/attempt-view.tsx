import type { Attempt } from "@hookwright/domain";
import { useState } from "preact/hooks";
import { BodyText } from "../../parts/body-text.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { explainAttempt } from "../../parts/explain-attempt.ts";
import { RequestBody } from "../../parts/request-body.tsx";
import { Segments } from "../../parts/segments.tsx";
import { toCurl } from "../../parts/to-curl.ts";
import { toFetch } from "../../parts/to-fetch.ts";
import { HeaderList } from "./header-list.tsx";
import { SignatureCheck } from "./signature-check.tsx";

type View = "body" | "headers" | "response" | "signature";

const views = [
  ["body", "Body"],
  ["headers", "Headers"],
  ["response", "Response"],
  ["signature", "Signature"],
] as const;

export interface AttemptViewProps {
  readonly attempt: Attempt;
  /** The URL of the delivery, for commands that send the request again. */
  readonly targetUrl?: string | undefined;
}

/** What one attempt sent and got. A failed attempt shows its response first. */
export function AttemptView({ attempt, targetUrl }: AttemptViewProps) {
  const { number, error, request, headers, excerpt } = attempt;
  const [view, setView] = useState<View>(error !== null && headers !== null ? "response" : "body");
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <p class={error === null ? "note good" : "note bad"}>{explainAttempt(attempt)}</p>
      <div class="actions">
        <Segments label="Part of the attempt" value={view} choices={views} onChoose={setView} />
        {targetUrl === undefined ? null : (
          <>
            <CopyButton text={toCurl(targetUrl, request)}>Copy as cURL</CopyButton>
            <CopyButton text={toFetch(targetUrl, request)}>Copy as fetch</CopyButton>
          </>
        )}
      </div>
      {view === "body" ? <RequestBody request={request} /> : null}
      {view === "headers" ? (
        <HeaderList headers={request.headers} caption={`Request headers${describeSending(attempt)}`} />
      ) : null}
      {view === "response" ? (
        headers === null ? (
          <p class="quiet">No response arrived.</p>
        ) : (
          <>
            {excerpt ? (
              <BodyText name="Response body">{excerpt}</BodyText>
            ) : (
              <p class="quiet">The body of the response was empty.</p>
            )}
            <HeaderList headers={headers} caption="Response headers" />
          </>
        )
      ) : null}
      {view === "signature" ? <SignatureCheck request={request} /> : null}
    </section>
  );
}

/** Errors that happen before a request can be sent. A timeout can happen before or after. */
const errorsBeforeSending: ReadonlySet<string> = new Set(["dns", "blocked_address", "connect", "tls"]);

function describeSending({ error }: Attempt): string {
  if (error === "timeout") return "";
  return error !== null && errorsBeforeSending.has(error) ? " (not sent)" : " (sent)";
}
