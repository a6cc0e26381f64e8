const bareAddress = /^[^\s<>@,;]+@[^\s<>@,;]+$/u;
const namedAddress = /^[^<>\r\n]*<([^<>]+)>$/u;

/** Parses one sender, `hooks@example.com` or `Hooks <hooks@example.com>`. Undefined if it is invalid. */
export function parseMailAddress(text: string): string | undefined {
  const address = namedAddress.exec(text)?.[1] ?? text;
  return bareAddress.test(address) ? text : undefined;
}

/** Parses the URL of a mail server, `smtp://user:password@host:587` or `smtps://…`. Undefined if it is invalid. */
export function parseSmtpUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "")
    return undefined;
  // `URL` accepts any host for an unknown scheme. The mailer would refuse it later and show the password in its error.
  return URL.canParse(`https://${url.host}`) ? text : undefined;
}
