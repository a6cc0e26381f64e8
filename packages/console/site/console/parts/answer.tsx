import type { AttemptError } from "@hookwright/domain";

const words: Readonly<Record<AttemptError, string>> = {
  timeout: "timeout",
  dns: "DNS error",
  blocked_address: "blocked address",
  connect: "no connection",
  tls: "TLS error",
  reset: "connection lost",
  protocol: "not HTTP",
  status: "bad status",
};

export interface AnswerProps {
  /** The HTTP status. Null: no response arrived. */
  readonly status: number | null;
  readonly error: AttemptError | null;
}

/** What an endpoint answered: an HTTP status, or the error in two words. */
export function Answer({ status, error }: AnswerProps) {
  if (status === null && error === null) return <span class="quiet">–</span>;
  if (status === null || (error !== null && error !== "status"))
    return <span class="answer bad">{error === null ? "no response" : words[error]}</span>;
  return <code class={`answer ${status >= 400 || error !== null ? "bad" : ""}`}>{status}</code>;
}
