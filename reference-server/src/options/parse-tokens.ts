import { parseHostTokens } from "@hookwright/domain";
import type { HostToken } from "@hookwright/domain";

/** The characters that a header can carry unchanged. RFC 6750 allows fewer. */
const tokenPattern = /^[\u0021-\u007e]+$/u;

/** Undefined if the text cannot be sent in a header. */
export function parseToken(text: string): string | undefined {
  return tokenPattern.test(text) ? text : undefined;
}

/** Parses host tokens that are separated by commas. */
export function parseTokenList(text: string): readonly HostToken[] | undefined {
  const parsed = parseHostTokens(text);
  return parsed.ok && parsed.tokens.every(({ token }) => tokenPattern.test(token))
    ? parsed.tokens
    : undefined;
}

/** Names the invalid entries of a list without showing a token. */
export function explainTokenList(text: string): string | undefined {
  const parsed = parseHostTokens(text);
  if (!parsed.ok) return `In the list, ${parsed.problems.join("; ")}.`;
  const unsendable = parsed.tokens.findIndex(({ token }) => !tokenPattern.test(token));
  return unsendable < 0 ? undefined : `In the list, entry ${unsendable + 1} has other characters.`;
}

/** True if the value of the variable is the token itself, as the demo's commands need it. */
export function isPlainToken(tokens: readonly HostToken[]): boolean {
  const [first, ...others] = tokens;
  return first?.name === "default" && others.length === 0;
}
