import { disposableEmailBlocklistSet } from "disposable-email-domains-js";

let domains: ReadonlySet<string> | undefined;

/**
 * Whether an address is of a throwaway domain, by a kept list. The list names registered domains alone, so the parents of
 * a sub-domain are looked up as well.
 *
 * @example isThrowaway("someone@inbox.mailinator.com") // true
 */
export function isThrowaway(email: string): boolean {
  domains ??= disposableEmailBlocklistSet();
  const labels = email.slice(email.lastIndexOf("@") + 1).split(".");
  for (let first = 0; first < labels.length - 1; first++) {
    if (domains.has(labels.slice(first).join("."))) return true;
  }
  return false;
}
