/** Returns the folder of the page: `https://example.com/integrations/` for `…/integrations/console#/keys`. */
export function readBaseUrl(): string {
  return new URL(".", location.href).href;
}
