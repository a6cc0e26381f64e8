/** A shorter secret could match ordinary words. */
const shortestSecret = 8;

/** Replaces secrets in a text, in case an error of a library contains one. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => (secret.length < shortestSecret ? shown : shown.replaceAll(secret, "***")),
    text,
  );
}

/**
 * Hides everything up to the last `@`, because a password that is not percent-encoded may contain any character. It
 * starts at the first colon, because an invalid URL may lack slashes or a scheme. Some clients accept a password in the
 * query too.
 *
 * @example hidePassword("redis://:pw@h") // "redis://***@h"
 */
export function hidePassword(text: string): string {
  return text.replace(/(?<!\bfile)(:\/*).*@/su, "$1***@").replace(/\?.*/su, "?***");
}

/** The secrets in a URL: its password, as written and decoded. */
export function secretsInUrl(text: string | undefined): readonly string[] {
  const password = URL.parse(text ?? "")?.password ?? "";
  if (password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
