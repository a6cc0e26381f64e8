import type { AllowedTargets } from "./allowed-targets.ts";
import { isIpAddress, isPublicAddress } from "./public-address.ts";

/** What may be delivered to. `privateTargets` is for trials. `trustedOrigins` names single origins, such as the demo's receiver. */
export interface TargetPolicy {
  /** Permits `http:`, every private or loopback address and name, and every port. @default false */
  readonly privateTargets?: boolean | undefined;
  /** Exact origins (`http://127.0.0.1:8787`) that are permitted, whatever they resolve to. @default [] */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** Private hosts and networks that are permitted over `https:`, on allowed ports. @default none */
  readonly allowedTargets?: AllowedTargets | undefined;
  /** @default {@link defaultAllowedTargetPorts} */
  readonly allowedTargetPorts?: readonly AllowedPort[] | undefined;
}

/** A port, or the first and the last port of a range. */
export type AllowedPort = number | readonly [first: number, last: number];

/** Services on lower ports, such as SSH and SMTP, would read a delivery as commands or as an attack. */
export const defaultAllowedTargetPorts: readonly AllowedPort[] = [443, 8_443, [1_024, 65_535]];

export type TargetVerdict =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

const longestUrl = 2_048;
const longestName = 253; // RFC 1035 §2.3.4, as text and without the dot at the end
const longestLabel = 63;

const localHint = "for a receiver on your machine use `--private-targets allow` or `hookwright listen`";

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

/**
 * Checks the text of a `target_url` (contract: Webhooks). It resolves nothing: names are resolved and checked at every connection.
 *
 * @example parseTargetUrl("https://example.com/hooks") // { ok: true, url }
 * @example parseTargetUrl("https://db.lan/") // { ok: false, reason: "must not point to a .lan name; …" }
 */
export function parseTargetUrl(text: string, policy: TargetPolicy = {}): TargetVerdict {
  if (text.length > longestUrl) return refuse(`must be at most ${longestUrl} characters`);
  // `new URL` trims white space and drops tabs and line ends inside. The address that was sent must be the one that is dialled.
  if (/[\s\p{Cc}]/u.test(text)) return refuse("must not contain white space or control characters");
  // The URL parser also accepts `https:/host`, `https:host` and `https:///host`.
  if (!/^https?:\/\/[^/\\]/iu.test(text)) return refuse("must start with https://");
  // The URL parser drops an empty user name (`https://@host`). A backslash ends the host like a slash.
  if (/^[^:]+:\/\/[^/\\?#]*@/u.test(text)) return refuse("must not contain a user name or password");
  const url = URL.parse(text);
  if (url === null) return refuse("must be a valid URL");
  if (policy.privateTargets === true || policy.trustedOrigins?.includes(url.origin) === true)
    return { ok: true, url };
  if (url.protocol !== "https:") return refuse(`must start with https://; ${localHint}`);
  const problem = findHostProblem(url.hostname, policy) ?? findPortProblem(url, policy.allowedTargetPorts);
  return problem === undefined ? { ok: true, url } : refuse(problem);
}

/** Segments of a path from this length on may be a secret. */
const secretSegment = /(?<=\/)([^/]{4})[^/]{12,}/gu;
/** Shorter values also occur in texts that do not quote the URL. */
const shortestSecret = 6;

/**
 * A URL for people who may not call it: without its parameters, query and fragment, and with only the beginning of each part of its
 * path that has 16 characters or more.
 *
 * @example withoutUrlSecrets("https://shop.example/hook?token=abc") // "https://shop.example/hook?…"
 * @example withoutUrlSecrets("https://a.example/services/T01ABC/9f8e7d6c5b4a39281706") // "https://a.example/services/T01ABC/9f8e…"
 */
export function withoutUrlSecrets(url: string): string {
  const { origin, path, end } = splitUrl(url);
  return `${origin}${path.replaceAll(secretSegment, "$1…")}${end === "" ? "" : `${end.charAt(0)}…`}`;
}

/**
 * What {@link withoutUrlSecrets} hides, to be masked in texts that quote the URL: whole, and in parts of 6 characters or more.
 *
 * @example toUrlSecrets("https://shop.example/hook?token=abc%2Fdef") // ["?token=abc%2Fdef", "abc%2Fdef", "abc/def"]
 */
export function toUrlSecrets(url: string): readonly string[] {
  const { path, end } = splitUrl(url);
  const segments = [...path.matchAll(secretSegment)].map(([segment]) => segment);
  const values = end.split(/[?#;&/]/u).map((pair) => pair.slice(pair.indexOf("=") + 1));
  const parts = [...segments, ...values].flatMap((part) => [part, decodePart(part)]);
  return [...new Set([end, ...parts.filter(({ length }) => length >= shortestSecret)])].filter(
    (part) => part !== "",
  );
}

/** `end` begins with the `?`, `#` or `;` behind the path. */
function splitUrl(url: string): Readonly<Record<"origin" | "path" | "end", string>> {
  const [, origin = "", path = "", end = ""] = /^([a-z]+:\/\/[^/?#;]*)?([^?#;]*)(.*)/isu.exec(url) ?? [];
  return { origin, path, end };
}

/** As servers read it. A part with a wrong escape stays as it is. */
function decodePart(part: string): string {
  const spaced = part.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Whether a delivery to a host may be sent to an address: its own, or one that its name resolves to. */
export function permitsAddress(
  address: string,
  hostname: string,
  { allowedTargets }: Pick<TargetPolicy, "allowedTargets">,
): boolean {
  return isPublicAddress(address) || allowedTargets?.permits(address, hostname) === true;
}

function refuse(reason: string): TargetVerdict {
  return { ok: false, reason };
}

/** @param hostname as the URL parser writes it: lower case, Punycode, every spelling of IPv4 as dotted decimal */
function findHostProblem(hostname: string, policy: TargetPolicy): string | undefined {
  const literal = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  if (!isIpAddress(literal))
    return policy.allowedTargets?.hasName(hostname) === true ? undefined : findNameProblem(hostname);
  if (permitsAddress(literal, literal, policy)) return undefined;
  return `must point to a public address, and ${literal} is not one; ${localHint}`;
}

function findNameProblem(hostname: string): string | undefined {
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  const labels = name.split(".");
  if (labels.at(-1) === "localhost") return `must not point to localhost; ${localHint}`;
  const suffix = privateSuffixes.find((each) => name === each || name.endsWith(`.${each}`));
  // A single label is refused below, with another message.
  if (suffix !== undefined && labels.length > 1) return `must not point to a .${suffix} name; ${localHint}`;
  // The URL parser does not read `127.0.0.1..` as an IPv4 address, but some resolvers do.
  if (labels.length > 1 && labels.includes("")) return "must name a host without two dots in a row";
  if (labels.length < 2) return `must name a public host, such as hooks.example.com; ${localHint}`;
  if (labels.some(({ length }) => length > longestLabel))
    return `must name a host whose labels have at most ${longestLabel} characters`;
  if (name.length > longestName) return `must name a host of at most ${longestName} characters`;
  return undefined;
}

/** Port 0 is never allowed: nothing can listen there. */
function findPortProblem({ port }: URL, allowed = defaultAllowedTargetPorts): string | undefined {
  const number = port === "" ? 443 : Number(port);
  if (number !== 0 && allowed.some((each) => includesPort(each, number))) return undefined;
  return `must not use port ${number}; allowed ports are ${describePorts(allowed)}`;
}

function includesPort(allowed: AllowedPort, port: number): boolean {
  if (typeof allowed === "number") return allowed === port;
  const [first, last] = allowed;
  return port >= first && port <= last;
}

function describePorts(allowed: readonly AllowedPort[]): string {
  return allowed.map((each) => (typeof each === "number" ? each : `${each[0]} to ${each[1]}`)).join(", ");
}
