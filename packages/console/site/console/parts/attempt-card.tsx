import type { Attempt, AttemptError } from "@hookwright/domain";
import { StatusBadge } from "./status-badge.tsx";
import { formatDuration } from "./format-duration.ts";
import { Time } from "./time.tsx";

/** For attempts without a `detail`, such as those of an earlier version. */
const reasons: Readonly<Record<AttemptError, string>> = {
  timeout: "No complete response arrived within the time limit.",
  dns: "The host name could not be resolved.",
  blocked_address: "The host name resolves to an address that is not public. No request was sent.",
  connect: "No connection was possible. Nothing listens there, or a firewall blocks it.",
  tls: "The TLS handshake failed. Check the name, the date and the chain of the certificate.",
  reset: "The connection closed before the response arrived.",
  protocol: "The response was not valid HTTP.",
  status: "The endpoint did not respond with a 2xx status. Redirects are not followed.",
};

const advice: Readonly<Partial<Record<AttemptError, string>>> = {
  timeout: "Send the response first, then process the delivery.",
};

/** The errors that happen before a request can be sent. */
const errorsBeforeSending: ReadonlySet<AttemptError> = new Set(["dns", "blocked_address", "connect", "tls"]);

/** One attempt of a delivery with its request and its response. */
export function AttemptCard({
  attempt,
  open = false,
}: {
  readonly attempt: Attempt;
  readonly open?: boolean;
}) {
  const { number, started_at, duration_ms, status, error, detail } = attempt;
  const { request, headers, excerpt, next_attempt_at } = attempt;
  return (
    <section class="attempt" aria-label={`Attempt ${number}`}>
      <header>
        <strong>Attempt {number}</strong>
        <StatusBadge status={status} />
        <Time at={started_at} />
        <span class="quiet">{formatDuration(duration_ms)}</span>
      </header>
      {error === null ? (
        <p>Accepted.{detail === null ? null : ` ${detail}`}</p>
      ) : (
        <p>
          <code>{error}</code> {[detail ?? reasons[error], advice[error]].join(" ").trim()}
          {next_attempt_at === null ? null : (
            <>
              {" "}
              Next attempt: <Time at={next_attempt_at} />.
            </>
          )}
        </p>
      )}
      <details open={open}>
        <summary>Request</summary>
        <HeaderList headers={request.headers} caption={describeHeaders(error)} />
        <Body name="Request body">{indent(request.body)}</Body>
      </details>
      {headers === null ? null : (
        <details open={open}>
          <summary>Response</summary>
          <HeaderList headers={headers} caption="Response headers" />
          {excerpt ? <Body name="Response body">{excerpt}</Body> : <p class="quiet">The body was empty.</p>}
        </details>
      )}
    </section>
  );
}

/** It may scroll, so it must be focusable. Not every browser does this itself. */
function Body({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <pre tabIndex={0} role="group" aria-label={name}>
      {children}
    </pre>
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

/** Indents the JSON for reading. The signature covers the bytes as they were sent. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
