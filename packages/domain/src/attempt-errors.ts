export const attemptErrors = [
  "timeout",
  "dns",
  "blocked_address",
  "connect",
  "tls",
  "reset",
  "protocol",
  "status",
] as const;
/** Why an attempt failed. `status` means that the response was not a 2xx. */
export type AttemptError = (typeof attemptErrors)[number];
