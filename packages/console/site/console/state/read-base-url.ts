/** Where the page lies, without its own name: `https://example.com/integrations/` of `…/integrations/console#/keys`. */
export function readBaseUrl(): string {
  return new URL(".", location.href).href;
}
