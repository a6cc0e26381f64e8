import type { Attempt, AttemptError } from "@hookwright/domain";
import { BodyText } from "./body-text.tsx";
import { explainAttempt } from "./explain-attempt.ts";
import { formatDuration } from "./format-duration.ts";
import { RequestBody } from "./request-body.tsx";
import { StatusBadge } from "./status-badge.tsx";
import { Time } from "./time.tsx";

/** The errors that happen before a request can be sent. */
const errorsBeforeSending: ReadonlySet<AttemptError> = new Set(["dns", "blocked_address", "connect", "tls"]);

/** One attempt of a delivery with its request and its response. */
export function AttemptCard({
  attempt,
  targetUrl,
  open = false,
}: {
  readonly attempt: Attempt;
  /** The URL of the delivery, for a command that sends the request again. */
  readonly targetUrl?: string | undefined;
  readonly open?: boolean;
}) {
  const { number, started_at, duration_ms, status, error } = attempt;
  const { request, headers, excerpt, next_attempt_at } = attempt;
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <header>
        <strong>Attempt {number}</strong>
        <StatusBadge status={status} />
        <Time at={started_at} />
        <span class="quiet">{formatDuration(duration_ms)}</span>
      </header>
      <p>
        {error === null ? null : <code>{error}</code>} {explainAttempt(attempt)}
        {next_attempt_at === null ? null : (
          <>
            {" "}
            Next attempt: <Time at={next_attempt_at} />.
          </>
        )}
      </p>
      <details open={open}>
        <summary>Request</summary>
        <HeaderList headers={request.headers} caption={describeHeaders(error)} />
        <RequestBody request={request} targetUrl={targetUrl} />
      </details>
      {headers === null ? null : (
        <details open={open}>
          <summary>Response</summary>
          <HeaderList headers={headers} caption="Response headers" />
          {excerpt ? (
            <BodyText name="Response body">{excerpt}</BodyText>
          ) : (
            <p class="quiet">The body was empty.</p>
          )}
        </details>
      )}
    </section>
  );
}

function HeaderList({
  headers,
  caption,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly caption: string;
}) {
  return (
    <>
      <p class="quiet">{caption}</p>
      <dl class="headers">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** A timeout can happen before or after the request is sent. */
function describeHeaders(error: AttemptError | null): string {
  if (error === "timeout") return "Request headers";
  return error !== null && errorsBeforeSending.has(error)
    ? "Request headers (not sent)"
    : "Request headers (sent)";
}
