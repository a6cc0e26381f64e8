/** The URL of a mail server, `smtp://user:password@host:587` or `smtps://…`; undefined when it is none. */
export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return undefined;
  return text;
}
