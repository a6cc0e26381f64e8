import {
  HookwrightError,
  maximumTargetUrlLength,
  targetNameProblem,
  targetPortProblem,
  targetUrlProblems,
} from "@hookwright/domain";
import { isPublicAddress } from "./public-address.ts";

/**
 * Judges the text of a `target_url` as the service does (contract §5); nothing is resolved.
 *
 * @throws HookwrightError `invalid_target_url`
 */
export function parseTargetUrl(text: string): URL {
  if (text.length > maximumTargetUrlLength) throw refuse(targetUrlProblems.tooLong);
  if (/[\s\p{Cc}]/u.test(text)) throw refuse(targetUrlProblems.whiteSpace);
  if (!/^https?:\/\/[^/\\]/iu.test(text)) throw refuse(targetUrlProblems.notHttps);
  if (/^[^:]+:\/\/[^/\\?#]*@/u.test(text)) throw refuse(targetUrlProblems.userInfo);
  const url = URL.parse(text);
  if (url === null) throw refuse(targetUrlProblems.notUrl);
  if (url.protocol !== "https:") throw refuse(targetUrlProblems.plainHttp);
  const problem = hostProblem(url.hostname) ?? targetPortProblem(url);
  if (problem !== undefined) throw refuse(problem);
  return url;
}

function hostProblem(hostname: string): string | undefined {
  // The parser has read every spelling of an IPv4 address into dotted decimal, and every IPv6 address into brackets.
  if (!hostname.startsWith("[") && !/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return targetNameProblem(hostname);
  if (isPublicAddress(hostname)) return undefined;
  return targetUrlProblems.notPublicAddress(hostname.replaceAll(/[[\]]/gu, ""));
}

function refuse(reason: string): HookwrightError {
  return new HookwrightError("invalid_target_url", `target_url: ${reason}`);
}
