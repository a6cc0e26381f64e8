import { oneOf, someOf, wholeNumber } from "../harness/options.ts";

/** `traceparent` also turns tracing on, to a collector that is down. */
const attackNames = [
  "bodies",
  "pipeline",
  "silent",
  "streams",
  "resends",
  "tests",
  "search",
  "scans",
  "mails",
  "changes",
  "trigger",
  "traceparent",
  "sign-ins",
  "links",
  "host-tokens",
] as const;

export type AttackName = (typeof attackNames)[number];

export const usage = `npm run bench -- attacks [options]

Attacks a real server in several ways at once, while another account publishes 20 events a second. It prints what each
attack got, how long the other account waits, how much memory the server takes, and whether the budgets are met. The exit
code is 1 if one is not. It needs Linux. docs/security.md says what each attack does.`;

export const attackOptions = {
  seconds: wholeNumber(600, "duration of the attacks in seconds"),
  storage: oneOf(["file", "memory", "redis", "postgres"], "the storage of the server"),
  only: someOf(attackNames, "only these attacks"),
};
