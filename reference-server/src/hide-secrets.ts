/** A shorter secret could match ordinary words. */
const shortestSecret = 8;

/** Replaces secrets in a text, in case an error of a library contains one. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => (secret.length < shortestSecret ? shown : shown.replaceAll(secret, "***")),
    text,
  );
}
