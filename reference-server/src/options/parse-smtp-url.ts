/** The URL of a mail server, `smtp://user:password@host:587` or `smtps://…`; undefined when it is none. */
export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return undefined;
  // Of a scheme that it does not know `URL` takes any host. The mailer would refuse it with the whole URL, password and all.
  return URL.canParse(`https://${url.host}`) ? text : undefined;
}
