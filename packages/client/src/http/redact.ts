export type Redact = (text: string) => string;

/**
 * Takes the key out of text that comes from outside: an API, or a proxy's error page, may quote the request back. It has to
 * come before any cutting, which could leave a part of the key.
 */
export function createRedact(apiKey: string): Redact {
  const spellings = new Set([apiKey, encodeURIComponent(apiKey)]);
  return (text) => {
    let redacted = text;
    for (const spelling of spellings) redacted = redacted.replaceAll(spelling, () => "[API key]");
    return redacted;
  };
}
