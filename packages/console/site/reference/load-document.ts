import type { ApiDocument } from "./document.ts";

/**
 * Loads an OpenAPI document of the server of this page.
 *
 * @throws Error with a message for the reader
 */
export async function loadDocument(path: string, token?: string): Promise<ApiDocument> {
  const response = await fetch(new URL(path, location.href), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  const body: ApiDocument & { readonly error?: { readonly message: string } } = await response
    .json()
    .catch(() => ({}));
  if (response.ok) return body;
  throw new Error(body.error?.message ?? `The server answered ${response.status}.`);
}
