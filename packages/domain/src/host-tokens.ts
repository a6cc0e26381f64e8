/** The scopes of a host token: publishing events and records, managing accounts and their settings, reading. */
export const hostScopes = ["publish", "manage", "read"] as const;

export type HostScope = (typeof hostScopes)[number];

/** A bearer token of the host API. */
export interface HostToken {
  /** Names the token in messages. Several tokens may have the same name, for example during a rotation. */
  readonly name: string;
  readonly scopes: readonly HostScope[];
  readonly token: string;
}

export type ParsedHostTokens =
  | { readonly ok: true; readonly tokens: readonly HostToken[] }
  /** Sentences that name the entry by its position, and never show a token. */
  | { readonly ok: false; readonly problems: readonly string[] };

const namePattern = /^[\w.-]{1,64}$/u;
/** What a header can carry unchanged. RFC 6750 allows less. */
const tokenPattern = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/u;
const shape = `name:scopes:token, with scopes from ${hostScopes.join(", ")} joined by "+"`;

/**
 * Parses host tokens that are separated by commas. `name:scopes:token` has the scopes that it lists. A plain token has
 * the name `default` and all scopes.
 *
 * @example parseHostTokens("shop:publish+read:4f1c") // one token with the name `shop` and two scopes
 */
export function parseHostTokens(text: string): ParsedHostTokens {
  return checkHostTokens(text.split(",").map((entry) => toToken(entry.trim())));
}

/** Checks host tokens that a program passes as objects. Programs without types may pass anything. */
export function checkHostTokens(entries: readonly unknown[]): ParsedHostTokens {
  const tokens: HostToken[] = [];
  const problems: string[] = [];
  entries.forEach((entry, index) => {
    const position = `entry ${index + 1}`;
    const problem = problemOf(entry);
    if (problem !== undefined) problems.push(`${position}${nameIn(entry)} ${problem}`);
    else if (isHostToken(entry)) {
      const same = tokens.findIndex(({ token }) => token === entry.token);
      if (same >= 0) problems.push(`${position}${nameIn(entry)} has the token of entry ${same + 1}`);
      tokens.push(entry);
    }
  });
  if (entries.length === 0) problems.push("there is no token");
  return problems.length === 0 ? { ok: true, tokens } : { ok: false, problems };
}

/** A token may contain colons if there are two before it. */
function toToken(entry: string): unknown {
  const [name, scopes, ...rest] = entry.split(":");
  if (scopes === undefined) return { name: "default", scopes: hostScopes, token: entry };
  return { name, scopes: scopes.split("+"), token: rest.join(":") };
}

function problemOf(entry: unknown): string | undefined {
  const { name, scopes, token } = fieldsOf(entry);
  if (typeof name !== "string" || !Array.isArray(scopes) || typeof token !== "string") {
    return "must have a name, a list of scopes and a token";
  }
  if (name === "default" && token.trim() === "") return "is empty";
  if (!namePattern.test(name) || token.trim() === "" || !scopes.every(isScope) || scopes.length === 0) {
    return `must be a token without colons, or ${shape}`;
  }
  return isSendableToken(token) ? undefined : "has characters that a header cannot carry";
}

/** Whether a client can send the token in a header. */
export function isSendableToken(token: string): boolean {
  return tokenPattern.test(token);
}

function isHostToken(entry: unknown): entry is HostToken {
  return problemOf(entry) === undefined;
}

/** The name, if the entry has a known scope. Otherwise the entry may be a token with colons, which is not shown. */
function nameIn(entry: unknown): string {
  const { name, scopes } = fieldsOf(entry);
  const isNamed = typeof name === "string" && namePattern.test(name) && name !== "default";
  return isNamed && Array.isArray(scopes) && scopes.some(isScope) ? ` (${name})` : "";
}

function fieldsOf(entry: unknown): Partial<Record<keyof HostToken, unknown>> {
  return typeof entry === "object" && entry !== null ? entry : {};
}

function isScope(value: unknown): value is HostScope {
  return hostScopes.some((scope) => scope === value);
}
