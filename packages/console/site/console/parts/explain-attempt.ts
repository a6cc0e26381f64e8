import type { Attempt, AttemptError } from "@hookwright/domain";

/** For attempts without a `detail`, such as those of an earlier version. */
const reasons: Readonly<Record<AttemptError, string>> = {
  timeout: "No complete response arrived within the time limit.",
  dns: "The host name could not be resolved. Check its DNS records.",
  blocked_address: "The host name resolves to an address that is not public. No request was sent.",
  connect: "No connection was possible. Nothing listens there, or a firewall blocks it.",
  tls: "The TLS handshake failed. Check the name, the date and the chain of the certificate.",
  reset: "The connection closed before the response arrived.",
  protocol: "The response was not valid HTTP.",
  status: "The endpoint did not respond with a 2xx status. Redirects are not followed.",
};

const advice: Readonly<Partial<Record<AttemptError, string>>> = {
  timeout: "Send the response first, then process the delivery.",
  dns: "Also check the name for typing errors.",
};

const adviceForStatus: Readonly<Record<number, string>> = {
  401: "The endpoint wants a credential. Add it as a custom header, or leave this path open and verify the signature.",
  403: "Something in front of the endpoint refuses the request, such as a firewall or a CSRF check. Exempt this path.",
  404: "Nothing answers at this path. Compare the URL with the routes of your program.",
  405: "The route does not accept POST.",
  408: "The endpoint gave up before it had read the request.",
  413: "The endpoint or a proxy in front of it refuses a body of this size. Raise its limit to 1 MiB.",
  415: "The endpoint does not accept application/json.",
  429: "The endpoint limits its requests. Answer first, then process the delivery from a queue.",
};

/**
 * Says in words why an attempt failed, and what to do.
 *
 * @example explainAttempt({ error: "status", status: 405, detail: null }) // "The endpoint did not … The route does not accept POST."
 */
export function explainAttempt({
  error,
  status,
  detail,
}: Pick<Attempt, "error" | "status" | "detail">): string {
  if (error === null) return detail === null ? "Accepted." : `Accepted. ${detail}`;
  const hint = error === "status" && status !== null ? adviseOnStatus(status) : advice[error];
  return [nameReason({ error, detail }), hint].filter((text) => text !== undefined).join(" ");
}

/** Why an attempt failed, without advice. Undefined: it was accepted. */
export function nameReason({ error, detail }: Pick<Attempt, "error" | "detail">): string | undefined {
  return error === null ? undefined : (detail ?? reasons[error]);
}

function adviseOnStatus(status: number): string | undefined {
  if (status >= 300 && status < 400) return "Only a 2xx accepts a delivery.";
  if (status >= 500) return "Your program or a proxy in front of it failed. Its log says why.";
  return adviceForStatus[status];
}
