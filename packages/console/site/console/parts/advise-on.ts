import type { Attempt } from "@hookwright/domain";

const adviceForStatus: Readonly<Record<number, string>> = {
  401: "The endpoint wants a credential. Add it as a custom header, or leave this path open and verify the signature.",
  403: "Something in front of the endpoint refuses the request, such as a firewall or a CSRF check. Exempt this path.",
  404: "Nothing answers at this path. Compare the URL with the routes of your program.",
  405: "The route does not accept POST.",
  413: "The endpoint or a proxy in front of it refuses a body of this size. Raise its limit to 1 MiB.",
  415: "The endpoint does not accept application/json.",
  429: "The endpoint limits its requests. Answer first, then process the delivery from a queue.",
};

export type AdvisedAttempt = Pick<Attempt, "error" | "status" | "excerpt" | "phases">;

/** What to do after a failed attempt, unless its summary says it. */
export function adviseOn({ error, status, excerpt, phases }: AdvisedAttempt): string | undefined {
  const { connect_ms, tls_ms, wait_ms } = phases;
  if (error === "status" && status !== null) return adviseOnStatus(status, excerpt ?? "");
  if (error === "reset")
    return "Your program or a proxy in front of it ended the connection. Its log says why.";
  if (error === "protocol") return "Another program may listen on this port. Check the URL.";
  if (error === "timeout" && wait_ms !== null) return "Send the response first, then process the delivery.";
  if ((error === "timeout" || error === "connect") && connect_ms !== null && tls_ms === null)
    return "Check that your program runs, and that no firewall blocks this port.";
  return undefined;
}

function adviseOnStatus(status: number, excerpt: string): string | undefined {
  if (status >= 300 && status < 400) return "Only a 2xx accepts a delivery.";
  if (status >= 500) return "Your program or a proxy in front of it failed. Its log says why.";
  if (/signature/iu.test(excerpt))
    return "The endpoint refuses the signature. It has another secret, or does not verify the raw body.";
  return adviceForStatus[status];
}
