import { HookwrightError } from "@hookwright/domain";
import { isPublicAddress } from "./public-address.ts";

const maximumLength = 2_048;

/**
 * Judges the text of a `target_url` as the service does (contract §5); nothing is resolved.
 *
 * @throws HookwrightError `invalid_target_url`
 */
export function parseTargetUrl(text: string): URL {
  if (text.length > maximumLength) throw refuse(`must be at most ${maximumLength} characters`);
  if (/[\s\p{Cc}]/u.test(text)) throw refuse("must not contain white space or control characters");
  if (!/^https?:\/\/[^/\\]/iu.test(text)) throw refuse("must start with https://");
  if (/^[^:]+:\/\/[^/\\?#]*@/u.test(text)) throw refuse("must not contain a user name or password");
  const url = URL.parse(text);
  if (url === null) throw refuse("must be a valid URL");
  if (url.protocol !== "https:") throw refuse("must start with https://");
  checkHost(url.hostname);
  return url;
}

function checkHost(hostname: string): void {
  // The parser has read every spelling of an IPv4 address into dotted decimal, and every IPv6 address into brackets.
  if (hostname.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
    if (!isPublicAddress(hostname)) throw refuse("must point to a public address");
    return;
  }
  const labels = hostname.replace(/\.$/, "").split(".");
  const last = labels.at(-1);
  if (last === "localhost") throw refuse("must not point to localhost");
  if (last === "local" || last === "internal") throw refuse(`must not point to a .${last} name`);
  if (labels.length < 2 || labels.includes(""))
    throw refuse("must name a public host, such as hooks.example.com");
}

function refuse(reason: string): HookwrightError {
  return new HookwrightError("invalid_target_url", `target_url: ${reason}`);
}
