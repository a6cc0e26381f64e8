/** `HTTPS://Example.com` and `https://example.com:443/#anything` are the same: a fragment is not sent (RFC 9110, section 7.1). */
export function isSameUrl(stored: string, url: URL): boolean {
  const known = URL.parse(stored);
  return known !== null && withoutFragment(known) === withoutFragment(url);
}

function withoutFragment({ href }: URL): string {
  return href.replace(/#.*$/u, "");
}
