import { checkHostTokens, isSendableToken, parseHostTokens } from "@hookwright/domain";
import type { HostToken } from "@hookwright/domain";
import type { OptionProblem } from "@hookwright/domain";
import type { HookwrightOptions } from "./options.ts";

export interface ReadHostTokens {
  /** Empty if there is no host API. */
  readonly hostTokens: readonly HostToken[];
  readonly problems: readonly OptionProblem[];
}

/** Checks the options `hostToken` and `metricsToken` at run time. No message shows a token. */
export function readHostTokens({
  hostToken,
  metricsToken,
}: Pick<HookwrightOptions, "hostToken" | "metricsToken">): ReadHostTokens {
  const problems: OptionProblem[] = [];
  let hostTokens: readonly HostToken[] = [];
  if (isText(hostToken) || Array.isArray(hostToken)) {
    const parsed = isText(hostToken) ? parseHostTokens(hostToken) : checkHostTokens(hostToken);
    if (parsed.ok) hostTokens = parsed.tokens;
    else problems.push(...parsed.problems.map((message) => ({ option: "hostToken", message })));
  } else if (hostToken !== undefined) {
    const message = "must be text that is not empty. Leave it out if you need no host API";
    problems.push({ option: "hostToken", message });
  }
  if (metricsToken !== undefined && !isText(metricsToken)) {
    const message = "must be text that is not empty. Leave it out if you need no token for /metrics only";
    problems.push({ option: "metricsToken", message });
  } else if (metricsToken !== undefined && !isSendableToken(metricsToken)) {
    const message = "has characters that a header cannot carry";
    problems.push({ option: "metricsToken", message });
  }
  if (hostTokens.some(({ token }) => token === metricsToken)) {
    const message = "must differ from the tokens in hostToken, because it only reads /metrics";
    problems.push({ option: "metricsToken", message });
  }
  return { hostTokens, problems };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
