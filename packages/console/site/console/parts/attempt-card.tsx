import type { Attempt, AttemptError } from "@hookwright/domain";
import { StatusBadge } from "./status-badge.tsx";
import { tellDuration } from "./tell-duration.ts";
import { Time } from "./time.tsx";

/** For attempts without a reason in words, such as those of an earlier version. */
const reasons: Readonly<Record<AttemptError, string>> = {
  timeout: "No complete answer came in the time there is.",
  dns: "The host name could not be resolved.",
  blocked_address: "The host name leads to an address that is not public. Nothing was sent there.",
  connect: "No connection could be made: nobody listens there, or a firewall is in between.",
  tls: "The TLS handshake failed. Look at the certificate: its name, its date, its chain.",
  reset: "The connection was closed before an answer had come.",
  protocol: "What came was not an HTTP answer.",
  status: "The endpoint answered, and not with a 2xx. Redirects are not followed.",
};

const advice: Readonly<Partial<Record<AttemptError, string>>> = {
  timeout: "Answer first, and do the work afterwards.",
};

/** What ends an attempt before there is a connection to send anything on. */
const unsent: ReadonlySet<AttemptError> = new Set(["dns", "blocked_address", "connect", "tls"]);

/** One try of a delivery: what was sent, or would have been, and what came of it. */
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
        <span class="quiet">{tellDuration(duration_ms)}</span>
      </header>
      {error === null ? (
        <p>Accepted.{detail === null ? null : ` ${detail}`}</p>
      ) : (
        <p>
          <code>{error}</code> {[detail ?? reasons[error], advice[error]].join(" ").trim()}
          {next_attempt_at === null ? null : (
            <>
              {" "}
              Next try: <Time at={next_attempt_at} />.
            </>
          )}
        </p>
      )}
      <details open={open}>
        <summary>Request</summary>
        <HeaderList headers={request.headers} caption={tellSent(error)} />
        <Body name="Body of the request">{indent(request.body)}</Body>
      </details>
      {headers === null ? null : (
        <details open={open}>
          <summary>Answer</summary>
          <HeaderList headers={headers} caption="Headers that came" />
          {excerpt ? (
            <Body name="Body of the answer">{excerpt}</Body>
          ) : (
            <p class="quiet">The body was empty.</p>
          )}
        </details>
      )}
    </section>
  );
}

/** It scrolls where it is long, so it can be reached by the keyboard: not every browser sees to that. */
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

/** The time may have run out before anything was sent, or after it. */
function tellSent(error: AttemptError | null): string {
  if (error === "timeout") return "Headers of the request";
  return error !== null && unsent.has(error) ? "Headers that would have been sent" : "Headers that were sent";
}

/** The same JSON, legible. What was signed are the bytes as they were sent. */
function indent(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
