import { oneOf, someOf, wholeNumber } from "../harness/options.ts";

/** What each attack does. `traceparent` also turns tracing on, to a collector that is down. */
const attackTexts = {
  bodies:
    "600 sockets stop within the body of POST /console/api/session, 100 within that of POST /v1/contacts",
  pipeline:
    "100 sockets send 1,400 GET /v1/openapi.json each and read nothing; 100 do so with /v1/orders?limit=100",
  silent: "1,500 sockets send nothing",
  streams: "event streams of the console: 25 accounts open 8 each, 7 accounts 100 each",
  resends:
    "32 loops of resends and tests, to an endpoint whose responses have 16 KiB of headers and 4 KiB of body",
  tests: "128 loops of tests of 16 accounts, to an endpoint that does not respond",
  search: "30 loops of GET /console/api/deliveries?q=…&limit=1 for a record with 1,000 deliveries",
  scans:
    "300 loops of counts, previews of a recovery, filters, overviews and request logs of 10,000 deliveries",
  mails: "10 webhooks are created, fail six times and are deleted, again and again",
  changes: "16 loops that give a webhook another name and 4 KiB of own headers, which the audit log records",
  trigger: "16 loops of triggered events with 60 KiB of text that is slow for regular expressions",
  traceparent: "30 loops of requests with a new traceparent and 6 KiB of tracestate and baggage",
  "sign-ins":
    "60 loops of wrong passwords from 20 networks, for random addresses and for the other account's",
  links: "30 loops of wrong one-time codes",
  "host-tokens": "30 loops of wrong host tokens",
} as const;

export type AttackName = keyof typeof attackTexts;

const isAttack = (name: string): name is AttackName => Object.hasOwn(attackTexts, name);
const attackNames = Object.keys(attackTexts).filter(isAttack);

export const usage = `npm run bench -- attacks [options]

Attacks a real server in several ways at once, while another account publishes 20 events a second. It prints what each
attack got, how long the other account waits, how much memory the server takes, and whether the budgets are met. The exit
code is 1 if one is not. It needs Linux.

${Object.entries(attackTexts)
  .map(([name, text]) => `  ${name.padEnd(12)} ${text}`)
  .join("\n")}`;

export const attackOptions = {
  seconds: wholeNumber(600, "duration of the attacks in seconds"),
  storage: oneOf(["file", "memory", "redis", "postgres"], "the storage of the server"),
  only: someOf(attackNames, "only these attacks"),
};
