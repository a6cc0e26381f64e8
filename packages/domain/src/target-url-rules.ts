import { targetUrlProblems } from "./target-url-problems.ts";

/** A port, or the first and the last port of a range. */
export type AllowedPort = number | readonly [first: number, last: number];

/** Services on lower ports, such as SSH and SMTP, would read a delivery as commands or as an attack. */
export const defaultAllowedTargetPorts: readonly AllowedPort[] = [443, 8_443, [1_024, 65_535]];

/**
 * Suffixes that no public name has. Private networks use them: RFC 6761 (`localhost`), RFC 6762 §3 (`local`) and appendix G
 * (`intranet` to `lan`), RFC 8375 (`home.arpa`), and Kubernetes (`svc`).
 *
 * `test`, `example` and `invalid` (RFC 6761) are not here: they resolve nowhere, and tests need hosts.
 */
const privateSuffixes = [
  "local",
  "intranet",
  "internal",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
] as const;

const longestName = 253; // RFC 1035 §2.3.4, as text and without the dot at the end
const longestLabel = 63;

/**
 * What is wrong with the host name of a `target_url` (contract §5). It resolves nothing.
 *
 * @param hostname as the URL parser writes it: lower case, Punycode. No IP address.
 * @example targetNameProblem("db.lan") // "must not point to a .lan name; …"
 */
export function targetNameProblem(hostname: string): string | undefined {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const labels = name.split(".");
  if (labels.at(-1) === "localhost") return targetUrlProblems.localhost;
  const suffix = privateSuffixes.find((each) => name === each || name.endsWith(`.${each}`));
  // A single label is refused below, with another message.
  if (suffix !== undefined && labels.length > 1) return targetUrlProblems.privateName(suffix);
  // `127.0.0.1..` is no IPv4 address to the parser, and some resolvers think otherwise.
  if (labels.length > 1 && labels.includes("")) return targetUrlProblems.emptyLabel;
  if (labels.length < 2) return targetUrlProblems.notPublicName;
  if (labels.some(({ length }) => length > longestLabel)) return targetUrlProblems.longLabel(longestLabel);
  if (name.length > longestName) return targetUrlProblems.longName(longestName);
  return undefined;
}

/** What is wrong with the port of a `target_url`. Port 0 is never allowed: nothing can listen there. */
export function targetPortProblem(
  { port, protocol }: Pick<URL, "port" | "protocol">,
  allowed: readonly AllowedPort[] = defaultAllowedTargetPorts,
): string | undefined {
  const number = port === "" ? (protocol === "http:" ? 80 : 443) : Number(port);
  if (number !== 0 && allowed.some((each) => includesPort(each, number))) return undefined;
  return targetUrlProblems.port(number, describePorts(allowed));
}

function includesPort(allowed: AllowedPort, port: number): boolean {
  if (typeof allowed === "number") return allowed === port;
  const [first, last] = allowed;
  return port >= first && port <= last;
}

function describePorts(allowed: readonly AllowedPort[]): string {
  return allowed
    .map((each) => (typeof each === "number" ? `${each}` : `${each[0]} to ${each[1]}`))
    .join(", ");
}
