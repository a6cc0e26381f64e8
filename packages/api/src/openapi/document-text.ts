import { createOpenApiDocument, toServers } from "./document.ts";
import type { OpenApiOptions } from "./document.ts";

/**
 * Renders the document once for each place it is asked for at: a program may mount the API without telling it where. What is
 * kept is that of the last one, since hardly any program has two.
 */
export function createDocumentText(options: Omit<OpenApiOptions, "basePath">): (basePath: string) => string {
  let document: object | undefined;
  let last: { readonly basePath: string; readonly text: string } | undefined;
  return (basePath) => {
    if (last?.basePath === basePath) return last.text;
    document ??= createOpenApiDocument({ ...options, basePath });
    const text = JSON.stringify({ ...document, servers: toServers(basePath) });
    last = { basePath, text };
    return text;
  };
}
