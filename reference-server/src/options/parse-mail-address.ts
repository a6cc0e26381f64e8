const bareAddress = /^[^\s<>@,;]+@[^\s<>@,;]+$/u;
const namedAddress = /^[^<>\r\n]*<([^<>]+)>$/u;

/** One sender, `hooks@example.com` or `Hooks <hooks@example.com>`; undefined for what is none. */
export function parseMailAddress(text: string): string | undefined {
  const address = namedAddress.exec(text)?.[1] ?? text;
  return bareAddress.test(address) ? text : undefined;
}
