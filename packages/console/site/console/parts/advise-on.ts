import type { Attempt, AttemptError } from "@hookwright/domain";

const advice: Readonly<Partial<Record<AttemptError, string>>> = {
  timeout: "Send the response first, then process the delivery.",
};

const adviceForStatus: Readonly<Record<number, string>> = {
  401: "The endpoint wants a credential. Add it as a custom header, or leave this path open and verify the signature.",
  403: "Something in front of the endpoint refuses the request, such as a firewall or a CSRF check. Exempt this path.",
  404: "Nothing answers at this path. Compare the URL with the routes of your program.",
  405: "The route does not accept POST.",
  413: "The endpoint or a proxy in front of it refuses a body of this size. Raise its limit to 1 MiB.",
  415: "The endpoint does not accept application/json.",
  429: "The endpoint limits its requests. Answer first, then process the delivery from a queue.",
};

/** What to do after a failed attempt. */
export function adviseOn({ error, status }: Pick<Attempt, "error" | "status">): string | undefined {
  if (error === null) return undefined;
  return error === "status" && status !== null ? adviseOnStatus(status) : advice[error];
}

function adviseOnStatus(status: number): string | undefined {
  if (status >= 300 && status < 400) return "Only a 2xx accepts a delivery.";
  if (status >= 500) return "Your program or a proxy in front of it failed. Its log says why.";
  return adviceForStatus[status];
}
