import { isEmailAddress, normaliseEmail, validationFailed } from "@hookwright/domain";

/**
 * A domain as addresses are compared with it: `@Mailinator.com` is `mailinator.com`.
 *
 * @throws HookwrightError `validation_failed`
 */
export function parseThrowawayDomain(text: string): string {
  const domain = normaliseEmail(text).replace(/^@/, "");
  if (isEmailAddress(`somebody@${domain}`)) return domain;
  throw validationFailed(["throwawayDomains: must be domains, such as mailinator.com"]);
}
