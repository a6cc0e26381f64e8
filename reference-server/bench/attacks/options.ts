import { parseArgs } from "node:util";

export const attackNames = [
  "bodies",
  "pipeline",
  "silent",
  "resends",
  "search",
  "mails",
  "sign-ins",
] as const;
export type AttackName = (typeof attackNames)[number];

export interface BenchOptions {
  /** The duration of the attacks. */
  readonly seconds: number;
  /** The duration of the victim's load before the attacks. */
  readonly warmUpSeconds: number;
  readonly storage: "filesystem" | "memory" | "redis";
  readonly attacks: readonly AttackName[];
  /** The server's open-files limit, including sockets. */
  readonly openFiles: number;
}

const storages = ["filesystem", "memory", "redis"] as const;

export const usage = `npm run bench -- attacks [options]

Attacks a real server in several ways at once, while another account publishes 20 events a second. It prints how long the
other account waits, how much memory the server takes, and whether the budgets are met. The exit code is 1 if one is not.
It needs Linux.

  --seconds N       duration of the attacks in seconds (default 600)
  --warm-up N       seconds of the other account's load before the attacks (default 15)
  --storage S       ${storages.join(", ")} (default filesystem, in a temporary directory)
  --only A,B        only these attacks (default all)
  --open-files N    the server's limit of open files (default 1024)

Attacks:
  bodies     600 sockets stop within the body of POST /console/api/session, 100 within that of POST /v1/contacts
  pipeline   100 sockets send 1,400 GET /v1/openapi.json each and read nothing; 100 do so with /v1/orders?limit=100
  silent     1,500 sockets send nothing
  resends    32 loops of resends and tests, to an endpoint whose responses have 16 KiB of headers and 4 KiB of body
  search     30 loops of GET /console/api/deliveries?q=…&limit=1 for a record with 1,000 deliveries
  mails      10 webhooks are created, fail six times and are deleted, again and again
  sign-ins   60 loops of wrong passwords, for random addresses and for the other account's`;

/** @throws Error that names the option and its valid values */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "600" },
      "warm-up": { type: "string", default: "15" },
      storage: { type: "string", default: "filesystem" },
      only: { type: "string", default: attackNames.join(",") },
      "open-files": { type: "string", default: "1024" },
    },
  });
  const chosen = new Set(values.only.split(",").map((name) => oneOf("only", name, attackNames)));
  return {
    seconds: wholeNumber("seconds", values.seconds),
    warmUpSeconds: wholeNumber("warm-up", values["warm-up"]),
    storage: oneOf("storage", values.storage, storages),
    attacks: attackNames.filter((name) => chosen.has(name)),
    openFiles: wholeNumber("open-files", values["open-files"]),
  };
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,5}$/u.test(text)) return Number(text);
  throw new Error(`--${option} must be a whole number from 1 to 999999; "${text}" is not.`);
}

function oneOf<Name extends string>(option: string, text: string, allowed: readonly Name[]): Name {
  const name = allowed.find((each) => each === text);
  if (name !== undefined) return name;
  throw new Error(`--${option} must be one of ${allowed.join(", ")}; "${text}" is not.`);
}
